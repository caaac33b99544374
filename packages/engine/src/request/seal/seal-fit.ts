import { sliceHead } from '../../messages/slice-text.ts'
import type { ContentPart, Message, Part } from '../../transcript/message.ts'
import type { Draft } from './draft.ts'
import type { Repair } from './sealed-request.ts'

/** A limit and the measure it is in: tokens or bytes. `fixed` is what surrounds the messages. */
export interface FitTarget {
  readonly unit: 'tokens' | 'bytes'
  readonly limit: number
  readonly fixed: number
  sizeOf(message: Message): number
}

export interface Fitted {
  readonly drafts: readonly Draft[]
  readonly total: number
}

const MEDIA_LEFT_OUT = '[Left out: the request was too large.]'
const RESULT_LEFT_OUT = '[Tool result left out: the request was too large.]'
const CUT_RESULT_CHARS = 2_000
const MIN_SUMMARY_CHARS = 200

/**
 * The last line of defence: planning keeps requests well below their limits, but estimates err and windows shrink.
 * Takes away in a fixed order, least dear first, and never the newest user message; the same input gives the same bytes.
 */
export function fitDrafts(drafts: readonly Draft[], target: FitTarget, repairs: Repair[]): Fitted {
  const fitting = createFitting(drafts, target, repairs)
  const newestUser = drafts.findLastIndex((draft) => draft.kind === 'user')
  const lastAssistant = drafts.findLastIndex((draft) => draft.kind === 'assistant')
  const lastGroup = lastAssistant > newestUser ? lastAssistant : drafts.length
  const isOld = (index: number): boolean => index < lastGroup && index !== newestUser
  const isConversation = (draft: Draft): boolean => draft.kind !== 'summary' && draft.kind !== 'pin'

  fitting.replaceEach((draft, index) => (isOld(index) ? withoutMedia(draft) : draft), 'media-left-out')
  fitting.replaceEach(
    (draft, index) => (isOld(index) ? withResults(draft, () => RESULT_LEFT_OUT) : draft),
    'result-left-out',
  )
  fitting.dropEach((draft, index) => isOld(index) && isConversation(draft))
  fitting.replaceEach((draft) => withResults(draft, (text) => sliceHead(text, CUT_RESULT_CHARS)), 'text-cut')
  fitting.replaceEach((draft, index) => (index === newestUser ? draft : withoutMedia(draft)), 'media-left-out')
  fitting.replaceEach((draft) => withResults(draft, () => RESULT_LEFT_OUT), 'result-left-out')
  fitting.dropEach((draft, index) => index !== newestUser && isConversation(draft))
  fitting.replaceEach((draft) => (draft.kind === 'summary' ? cutInHalf(draft) : draft), 'text-cut')
  fitting.dropEach((draft) => draft.kind === 'summary')
  fitting.dropEach((draft) => draft.kind === 'pin')
  return fitting.result()
}

interface Fitting {
  replaceEach(replace: (draft: Draft, index: number) => Draft, kind: Repair['kind']): void
  /** Drops an assistant message together with the tool message behind it. */
  dropEach(isDroppable: (draft: Draft, index: number) => boolean): void
  result(): Fitted
}

function createFitting(drafts: readonly Draft[], target: FitTarget, repairs: Repair[]): Fitting {
  const kept: (Draft | null)[] = [...drafts]
  const sizes = drafts.map((draft) => target.sizeOf(draft))
  let total = sizes.reduce((sum, size) => sum + size, target.fixed)
  const put = (index: number, draft: Draft | null): void => {
    const size = draft === null ? 0 : target.sizeOf(draft)
    total += size - (sizes[index] ?? 0)
    sizes[index] = size
    kept[index] = draft
  }
  const isOver = (): boolean => total > target.limit
  return {
    replaceEach(replace, kind) {
      for (let index = 0; index < kept.length && isOver(); index += 1) {
        const draft = kept[index]
        if (draft === null || draft === undefined) continue
        const replaced = replace(draft, index)
        if (replaced === draft || target.sizeOf(replaced) >= (sizes[index] ?? 0)) continue
        put(index, replaced)
        repairs.push({ kind, detail: `${draft.kind}, ${target.unit}` })
      }
    },
    dropEach(isDroppable) {
      for (let index = 0; index < kept.length && isOver(); index += 1) {
        const draft = kept[index]
        if (draft === null || draft === undefined || draft.kind === 'tool' || !isDroppable(draft, index)) continue
        put(index, null)
        if (kept[index + 1]?.kind === 'tool') put(index + 1, null)
        repairs.push({ kind: 'message-left-out', detail: `${draft.kind}, ${target.unit}` })
      }
    },
    result: () => ({ drafts: kept.filter((draft) => draft !== null), total }),
  }
}

function withResults(draft: Draft, shorten: (text: string) => string): Draft {
  if (draft.kind !== 'tool') return draft
  const parts = draft.parts.map((part): Part => {
    if (part.type !== 'tool-result') return part
    const text = typeof part.output === 'string' ? part.output : textParts(part.output)
    const shorter = text === '' ? RESULT_LEFT_OUT : shorten(text)
    return shorter.length < text.length || typeof part.output !== 'string' ? { ...part, output: shorter } : part
  })
  return { ...draft, parts }
}

function withoutMedia(draft: Draft): Draft {
  const isMedia = (part: Part): boolean => part.type === 'image' || part.type === 'file'
  const note: ContentPart = { type: 'text', text: MEDIA_LEFT_OUT }
  let isChanged = false
  const parts = draft.parts.map((part): Part => {
    if (isMedia(part)) {
      isChanged = true
      return note
    }
    if (part.type !== 'tool-result' || typeof part.output === 'string' || !part.output.some(isMedia)) return part
    isChanged = true
    return { ...part, output: part.output.map((content) => (isMedia(content) ? note : content)) }
  })
  return isChanged ? { ...draft, parts } : draft
}

function cutInHalf(draft: Draft): Draft {
  const [part] = draft.parts
  if (part?.type !== 'text' || part.text.length < MIN_SUMMARY_CHARS) return draft
  return { ...draft, parts: [{ type: 'text', text: `${sliceHead(part.text, part.text.length / 2)}…` }] }
}

function textParts(output: readonly ContentPart[]): string {
  return output.map((part) => (part.type === 'text' ? part.text : MEDIA_LEFT_OUT)).join('\n')
}
