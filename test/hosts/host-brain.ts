import { isRecord } from '@longhaul/engine/advanced'
import type { WireAnswer, WireRequest } from '@longhaul/models/testing'
import { findName, summarize } from '../long-conversations/wire-brain.ts'
import { summarizeByHeadings } from './summarize-by-headings.ts'

/** The kinds of calls that a host makes. */
export type CallKind = 'turn' | 'summary' | 'title'

/** A host's summaries and titles are asked for without tools. */
export function kindOf({ body, messages }: WireRequest): CallKind {
  if (Array.isArray(body['tools']) && body['tools'].length > 0) return 'turn'
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
  const tools = Array.isArray(body['tools']) ? (body['tools'] as unknown[]) : []
  return tools.filter(isRecord).map((tool) => {
    const definition = isRecord(tool['function']) ? tool['function'] : tool
    const schema = definition['parameters'] ?? definition['input_schema']
    const properties = isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : []
    return { name: String(definition['name']), parameters: properties }
  })
}

function readFile(request: WireRequest, path: string): WireAnswer {
  const tool = toolsOf(request).find(({ name }) => /^read(_file)?$/.test(name))
  if (tool === undefined) return { text: `I cannot read ${path}.` }
  const parameter = tool.parameters.find((name) => /path/i.test(name)) ?? 'path'
  return { toolCalls: [{ name: tool.name, input: { [parameter]: path } }] }
}
