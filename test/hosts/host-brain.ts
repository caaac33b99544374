import { isRecord } from '@longhaul/engine/advanced'
import type { WireAnswer, WireRequest } from '@longhaul/models/testing'
import { findName, summarize } from '../long-conversations/wire-brain.ts'
import { summarizeByHeadings } from './summarize-by-headings.ts'

/** The kinds of calls that a host makes. */
export type CallKind = 'turn' | 'summary' | 'title'

/** The words with which Claude Code and Codex ask for a summary of their own, beside the tools of every call. */
const OWN_SUMMARY = /^\s*(?:CRITICAL: Respond with TEXT ONLY|You are performing a CONTEXT CHECKPOINT COMPACTION)/

/** A host's summaries and titles are asked for without tools, or in words of their own. */
export function kindOf(request: WireRequest): CallKind {
  const { messages } = request
  if (OWN_SUMMARY.test(messages.at(-1)?.text ?? '')) return 'summary'
  if (toolsOf(request).length > 0) return 'turn'
  const [first] = messages
  const isTitle = messages.length <= 4 && /\btitle\b/i.test(`${first?.text.slice(0, 1_000)} ${messages.at(-1)?.text}`)
  return isTitle ? 'title' : 'summary'
}

/**
 * What the model behind a host answers, by rules and from the request's own text: it reads files with whatever tool the
 * host has for that, answers questions whose answer it was sent, and calls `recall`, where there is one, for the others.
 */
export function answerHost(request: WireRequest): WireAnswer {
  const { messages, text } = request
  const kind = kindOf(request)
  if (kind === 'title') return { text: 'Things in places' }
  if (kind === 'summary') return { text: summarizeByHeadings(messages.at(-1)?.text ?? '') ?? summarize(text) }
  const last = messages.findLastIndex(({ role, resultIds }) => role === 'user' && resultIds.length === 0)
  const asked = messages[last]?.text ?? ''
  const isAnswered = messages.slice(last + 1).some(({ resultIds }) => resultIds.length > 0)
  const [, path] = /Read (notes\/\S+\.md)/.exec(asked) ?? []
  if (path !== undefined) return isAnswered ? { text: `I have read ${path}.` } : readFile(request, path)
  const [, thing] = /What is the (.+?) called\?/.exec(asked) ?? []
  if (thing === undefined) return { text: 'I see. Go on.' }
  const value = findName(text, thing)
  if (value !== null) return { text: `It is called ${value}.` }
  const recall = toolsOf(request).find(({ name }) => name === 'recall')
  if (isAnswered || recall === undefined) return { text: 'I do not know.' }
  return { toolCalls: [{ name: recall.name, input: { query: thing } }] }
}

interface OfferedTool {
  readonly name: string
  readonly parameters: readonly string[]
}

function toolsOf({ body }: WireRequest): readonly OfferedTool[] {
  return [...recordsOf(body['tools']), ...recordsOf(body['input']).flatMap(readAdded)].map((tool) => {
    const definition = isRecord(tool['function']) ? tool['function'] : tool
    const schema = definition['parameters'] ?? definition['input_schema']
    const properties = isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : []
    return { name: String(definition['name']), parameters: properties }
  })
}

/** Codex offers the tools of its newer models in an item of the list, in groups. */
function readAdded(item: Fields): readonly Fields[] {
  return item['type'] === 'additional_tools'
    ? recordsOf(item['tools']).flatMap((group) => recordsOf(group['tools']))
    : []
}

type Fields = Readonly<Record<string, unknown>>

function recordsOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter(isRecord) : []
}

function readFile(request: WireRequest, path: string): WireAnswer {
  const tools = toolsOf(request)
  const tool = tools.find(({ name }) => /^read(_file)?$/i.test(name))
  if (tool === undefined) return readByShell(tools, path)
  const parameter = tool.parameters.find((name) => /path/i.test(name)) ?? 'path'
  return { toolCalls: [{ name: tool.name, input: { [parameter]: path } }] }
}

/** Codex has no tool for files: a command prints them, and with its newer models a script calls the command. */
function readByShell(tools: readonly OfferedTool[], path: string): WireAnswer {
  const names = new Set(tools.map(({ name }) => name))
  const cmd = `cat ${path}`
  if (names.has('exec_command')) return { toolCalls: [{ name: 'exec_command', input: { cmd } }] }
  const script = `const done = await tools.exec_command({ cmd: "${cmd}" })\ntext(done.output)`
  if (names.has('exec')) return { toolCalls: [{ name: 'exec', input: {}, customInput: script }] }
  return { text: `I cannot read ${path}.` }
}
