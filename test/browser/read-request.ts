import type { Script } from '@longhaul/models/testing'

type Request = Parameters<Extract<Script, (...args: never[]) => unknown>>[0]

/** What a request to a scripted model is for. Those of our own, for titles and summaries, come without tools. */
export function purposeOf({ prompt, tools = [] }: Request): 'answer' | 'title' | 'summary' {
  if (tools.length > 0) return 'answer'
  return JSON.stringify(prompt[0] ?? '').includes('You name conversations') ? 'title' : 'summary'
}

/** What the user said last. */
export function lastAsked({ prompt }: Request): string {
  const asked = prompt.findLast(({ role }) => role === 'user')
  if (asked?.role !== 'user') return ''
  return asked.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).at(-1) ?? ''
}

/** Whether a tool has just answered. */
export function hasToolAnswered({ prompt }: Request): boolean {
  return prompt.at(-1)?.role === 'tool'
}
