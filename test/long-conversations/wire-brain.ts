import type { WireAnswer, WireRequest } from '@longhaul/models/testing'

/**
 * What a model behind a server answers, by rules and from the request's own text: reads files it is asked for, answers
 * questions whose answer it was sent, calls `recall` for the others, saves a note when told to, and summarizes by copying.
 */
export function answerFromRequest(request: WireRequest): WireAnswer {
  const { messages, text } = request
  const hasTools = Array.isArray(request.body['tools'])
  const asked = messages.findLast(({ role, resultIds }) => role === 'user' && resultIds.length === 0)?.text ?? ''
  const isAnswered = (messages.at(-1)?.resultIds.length ?? 0) > 0
  if (asked.includes('Give a title')) return { text: 'Things in places' }
  if (!hasTools) return { text: summarize(text) }

  const silentToken = /(?:Answer with exactly|Reply with) (\w+)/.exec(asked)?.[1]
  if (silentToken !== undefined && asked.includes('housekeeping turn')) {
    return isAnswered ? { text: silentToken } : call('save_memory', { text: 'The user talks about things in places.' })
  }
  const [, path] = /^Read (\S+)$/.exec(asked) ?? []
  if (path !== undefined) return isAnswered ? { text: `I have read ${path}.` } : call('read_file', { path })
  const [, thing] = /^What is the (.+) called\?$/.exec(asked) ?? []
  if (thing === undefined) return { text: 'I see. Go on.' }
  const value = findName(text, thing)
  if (value !== null) return { text: `It is called ${value}.` }
  return isAnswered ? { text: 'I do not know.' } : call('recall', { query: thing })
}

function call(name: string, input: Readonly<Record<string, string>>): WireAnswer {
  return { toolCalls: [{ name, input }] }
}

/** The name that a text gives a thing; null: it gives none. */
export function findName(text: string, thing: string): string | null {
  const start = text.indexOf(`The ${thing} is called `)
  return start === -1 ? null : text.slice(start + `The ${thing} is called `.length, text.indexOf('.', start))
}

const MAX_POINTS = 8

/** The facts it is shown, but not many: a summary leaves things out. */
export function summarize(text: string): string {
  const facts = [...new Set(text.match(/The [\w ]{1,60} is called [\w ]{1,40}\./g))].slice(-MAX_POINTS)
  return `<summary>\n+ Goal: keep track of things in places\n${facts.map((fact) => `+ Findings: ${fact}`).join('\n')}\n</summary>`
}
