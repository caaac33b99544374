import { pairTools } from '../../messages/tool-pairs.ts'
import type { ToolPair } from '../../messages/tool-pairs.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../../transcript/message.ts'
import type { Draft } from './draft.ts'
import type { Repair } from './sealed-request.ts'

/** Stands for a result that nobody has. The same words each time, so that the prefix stays the same. */
export const NO_RESULT = '[No result is recorded: the call was interrupted, and its outcome is unknown.]'

/** Names and ids of tools that every provider takes. */
const SAFE = /^[a-zA-Z0-9_-]+$/
const UNSAFE = /[^a-zA-Z0-9_-]/g
const MAX_NAME_CHARS = 64
/** With room for a suffix. */
const MAX_ID_CHARS = 60

/**
 * Every call is followed by one tool message with exactly one result for each call of that message, in the order of the
 * calls. Results are moved to their call, missing ones are named as such, duplicates and strays are left out. Ids that
 * repeat get a suffix, because providers want them unique in a request.
 */
export function sealPairs(drafts: readonly Draft[], repairs: Repair[]): readonly Draft[] {
  const pairs = pairTools(drafts)
  const byMessage = new Map<number, ToolPair[]>()
  for (const pair of pairs) {
    const list = byMessage.get(pair.callMessage)
    if (list === undefined) byMessage.set(pair.callMessage, [pair])
    else list.push(pair)
  }
  noteMoved(drafts, pairs, repairs)
  const uniqueId = createIdSource()
  const sealed: Draft[] = []
  drafts.forEach((draft, index) => {
    if (draft.role === 'tool') return
    const own = byMessage.get(index)
    if (own === undefined) sealed.push(draft)
    else sealed.push(...sealGroup(draft, own, { drafts, repairs, uniqueId }))
  })
  return sealed
}

interface GroupContext {
  readonly drafts: readonly Draft[]
  readonly repairs: Repair[]
  readonly uniqueId: (id: string) => string
}

function sealGroup(
  draft: Draft,
  pairs: readonly ToolPair[],
  { drafts, repairs, uniqueId }: GroupContext,
): readonly Draft[] {
  const ids = pairs.map(({ call }) => uniqueId(call.toolCallId))
  let next = 0
  const parts = keepIfSame(
    draft.parts,
    draft.parts.map((part) => {
      if (part.type !== 'tool-call') return part
      const id = ids[next]
      next += 1
      return withNames(part, id ?? part.toolCallId)
    }),
  )
  const results = pairs.map((pair, index) => sealResult(pair, ids[index] ?? pair.call.toolCallId, repairs))
  const home = findHome(pairs, drafts)
  return [
    parts === draft.parts ? draft : { ...draft, parts },
    { role: 'tool', kind: 'tool', place: 'message', parts: home === null ? results : keepIfSame(home.parts, results) },
  ]
}

/** The one tool message that already holds exactly these results, if there is one: then its parts are sent as they are. */
function findHome(pairs: readonly ToolPair[], drafts: readonly Draft[]): Draft | null {
  const message = pairs[0]?.answer?.message
  return message === undefined ? null : (drafts[message] ?? null)
}

function sealResult({ call, answer }: ToolPair, id: string, repairs: Repair[]): Part {
  if (answer !== null) return withNames(answer.result, id, call.toolName)
  repairs.push({ kind: 'result-added', detail: call.toolName })
  return { type: 'tool-result', toolCallId: id, toolName: safeName(call.toolName), output: NO_RESULT, isError: true }
}

function withNames<T extends ToolCallPart | ToolResultPart>(part: T, id: string, name = part.toolName): T {
  const toolName = safeName(name)
  return part.toolCallId === id && part.toolName === toolName ? part : { ...part, toolCallId: id, toolName }
}

function safeName(name: string): string {
  return makeSafe(name, MAX_NAME_CHARS) || 'unknown'
}

/** Nearly every name is safe as it is, and each is looked at in every request. */
function makeSafe(name: string, maxChars: number): string {
  return name.length <= maxChars && SAFE.test(name) ? name : name.replaceAll(UNSAFE, '_').slice(0, maxChars)
}

function createIdSource(): (id: string) => string {
  const used = new Set<string>()
  const lastSuffix = new Map<string, number>()
  return (id) => {
    const base = makeSafe(id, MAX_ID_CHARS) || 'call'
    let unique = base
    if (used.has(base)) {
      let suffix = lastSuffix.get(base) ?? 1
      while (used.has(unique)) unique = `${base}-${(suffix += 1)}`
      lastSuffix.set(base, suffix)
    }
    used.add(unique)
    return unique
  }
}

function noteMoved(drafts: readonly Draft[], pairs: readonly ToolPair[], repairs: Repair[]): void {
  let stored = 0
  for (const { parts } of drafts) for (const { type } of parts) if (type === 'tool-result') stored += 1
  const paired = pairs.filter(({ answer }) => answer !== null).length
  if (stored > paired) repairs.push({ kind: 'results-dropped', detail: `${stored - paired} without a call` })
}

function keepIfSame(original: readonly Part[], parts: readonly Part[]): readonly Part[] {
  const isSame = original.length === parts.length && parts.every((part, index) => part === original[index])
  return isSame ? original : parts
}
