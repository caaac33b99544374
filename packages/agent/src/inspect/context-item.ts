import { estimateMessage, measureEnvironment, renderParts, renderSystem } from '@longhaul/engine/advanced'
import type { Environment, Estimator, LeftOutTools, Part, ViewItem } from '@longhaul/engine/advanced'
import { describeLeftOut } from '../session/session-tools.ts'

export type ContextKind =
  | 'system'
  | 'file'
  | 'tools'
  | 'summary'
  | 'pin'
  | 'recalled'
  | 'user'
  | 'assistant'
  | 'tool-call'
  | 'tool-result'

/** One thing that a request holds. */
export interface ContextItem {
  /** Names it within its request, and the same thing in later ones. */
  readonly id: string
  /** The stored entry it comes from; null for what surrounds the messages. */
  readonly entryId: string | null
  readonly kind: ContextKind
  readonly label: string
  readonly tokens: number
  readonly chars: number
  readonly state: 'verbatim' | 'soft-trimmed' | 'cleared' | 'summarised' | 'left-out'
}

export interface ContextItemWithText extends ContextItem {
  readonly text: string
}

/** System prompt, injected files, tools: each as it is sent. */
export function describeEnvironment(environment: Environment, estimator: Estimator): readonly ContextItemWithText[] {
  const { system, files, tools } = environment
  const names = files.map(({ name }) => name)
  const texts = [
    ...(system === null ? [] : [{ id: 'system', text: system }]),
    ...files.map((file, index) => ({
      id: `file:${file.name}${names.indexOf(file.name) === index ? '' : `:${index + 1}`}`,
      text: renderSystem({ system: null, files: [file], tools: [] }) ?? '',
    })),
    ...(tools.length === 0 ? [] : [{ id: 'tools', text: JSON.stringify(tools) }]),
  ]
  return measureEnvironment(environment, estimator).parts.map((part, index) => ({
    id: part.kind,
    text: environment.measured === undefined ? '' : NOT_STORED,
    ...texts[index],
    ...part,
    entryId: null,
    state: 'verbatim',
  }))
}

const NOT_STORED = 'The program that keeps this conversation keeps these texts itself; only their size is known here.'

/** Tools of one origin that a request does without, as one thing. */
export function describeLeftOutTools(tools: LeftOutTools): ContextItemWithText {
  const { origin, offered, leftOut, tokens, chars } = tools
  const who = origin.kind === 'mcp' ? origin.server : origin.kind
  return {
    id: `tools:${who}`,
    entryId: null,
    kind: 'tools',
    label: `${who}: ${leftOut} of ${offered} tools`,
    tokens,
    chars,
    state: 'left-out',
    text: describeLeftOut(tools),
  }
}

/** What there is to say of a message, whether it stands in a view or not. */
export type ShownMessage = Pick<ViewItem, 'id' | 'kind' | 'message' | 'tokens'> & Pick<ContextItem, 'state'>

/** An answer and the calls in it are two things to whoever looks for what takes the space. */
export function describeMessage(item: ShownMessage, estimator: Estimator): readonly ContextItemWithText[] {
  const { message, state, id: entryId } = item
  const describe = (id: string, kind: ContextKind, parts: readonly Part[], tokens: number): ContextItemWithText => {
    const text = textOf(parts)
    return { id, entryId, kind, label: labelOf(text), tokens, chars: text.length, state, text }
  }
  const id = `${item.kind}:${entryId}`
  const calls = message.parts.filter(({ type }) => type === 'tool-call')
  const rest = message.parts.filter(({ type }) => type !== 'tool-call')
  if (message.role !== 'assistant' || calls.length === 0)
    return [describe(id, kindOf(item.kind), message.parts, item.tokens)]
  const sizeOf = (parts: readonly Part[]): number => estimateMessage({ ...message, parts }, estimator)
  return [
    ...(rest.length === 0 ? [] : [describe(id, 'assistant', rest, sizeOf(rest))]),
    describe(`tool-call:${entryId}`, 'tool-call', calls, sizeOf(calls)),
  ]
}

/** Reasoning is sent as well, so it is shown here. */
function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'reasoning' ? part.text : renderParts([part]))).join('\n')
}

/** The kind that a view gives an item, as reports call it. */
export function kindOf(kind: ViewItem['kind']): ContextKind {
  switch (kind) {
    case 'tool':
      return 'tool-result'
    case 'acknowledgement':
      return 'assistant'
    case 'summary':
    case 'pin':
    case 'recalled':
    case 'user':
    case 'assistant':
      return kind
    default:
      return kind satisfies never
  }
}

const LABEL_CHARS = 80

function labelOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= LABEL_CHARS ? line : `${line.slice(0, LABEL_CHARS - 1).toWellFormed()}…`
}
