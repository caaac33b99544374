import type { View, ViewItem } from '@longhaul/engine/advanced'
import type { Onlooker } from '../replay.ts'
import type { MeasuredConversation } from './data.ts'
import { sizeOf } from './data.ts'
import type { Reference } from './find-references.ts'
import { MENTION_KINDS } from './mention.ts'
import type { MentionKind } from './mention.ts'
import { textOf } from './message-text.ts'

/** How many references there were, and where the context had them. */
export interface Counts {
  readonly references: number
  readonly inContext: number
  /** No message of the request has them: only a summary can, or what is brought back. */
  readonly onlySummary: number
  readonly inSummary: number
  /** Neither a message nor the summary has them. */
  readonly onlyBack: number
  readonly broughtBack: number
}

export type CountKey = MentionKind | 'shown only'
export const COUNT_KEYS: readonly CountKey[] = [...MENTION_KINDS, 'shown only']

/** One conversation under one policy; plain JSON, so that it can be kept. */
export interface Run {
  readonly requests: number
  /** The sizes of the views of all requests, added up. */
  readonly viewTokens: number
  readonly summaryTokens: number
  readonly recalledTokens: number
  readonly compactions: number
  readonly total: Counts
  readonly byKind: Readonly<Record<CountKey, Counts>>
}

export interface Measure extends Onlooker {
  finish(compactions: number): Run
}

type OpenCounts = { -readonly [K in keyof Counts]: number }

/** Looks at every request: what is mentioned by the answer to it, or was by the messages that it answers. */
export function createMeasure({ messages, references }: MeasuredConversation): Measure {
  const total = createCounts()
  const byKind = Object.fromEntries(COUNT_KEYS.map((key) => [key, createCounts()])) as Record<CountKey, OpenCounts>
  const sums = { requests: 0, viewTokens: 0, summaryTokens: 0, recalledTokens: 0 }
  let unanswered: number[] = []

  function addSizes({ items }: View): void {
    sums.requests += 1
    for (const { kind, message } of items) {
      const tokens = sizeOf(message)
      sums.viewTokens += tokens
      if (kind === 'summary') sums.summaryTokens += tokens
      if (kind === 'recalled') sums.recalledTokens += tokens
    }
  }
  function look(view: View, asked: readonly Reference[]): void {
    if (asked.length === 0) return
    const texts = splitView(view, unanswered.length)
    for (const { kind, isShownOnly, holds } of asked) {
      const where = {
        inMessage: texts.said.some(holds),
        inTold: texts.told.some(holds),
        isBack: texts.back.some(holds),
      }
      const keys: readonly CountKey[] = isShownOnly ? [kind, 'shown only'] : [kind]
      for (const counts of [total, ...keys.map((key) => byKind[key])]) count(counts, where)
    }
  }
  return {
    beforeMessage(index, view) {
      if (messages[index]?.role === 'user') {
        unanswered.push(index)
        return
      }
      addSizes(view)
      look(
        view,
        [...unanswered, index].flatMap((each) => references.get(each) ?? []),
      )
      unanswered = []
    },
    afterMaintenance: () => undefined,
    finish: (compactions) => ({ ...sums, compactions, total, byKind }),
  }
}

interface ViewTexts {
  /** Messages of the conversation, in whatever form they are sent. */
  readonly said: readonly string[]
  /** Summary and pins. */
  readonly told: readonly string[]
  readonly back: readonly string[]
}

/** Without the newest messages of the user, which hold by themselves what they mention. */
function splitView({ items }: View, unanswered: number): ViewTexts {
  const users = items.filter(({ kind, entry }) => kind === 'user' && entry !== null)
  const asked = new Set(users.slice(users.length - unanswered))
  const isSaid = ({ entry }: ViewItem): boolean => entry !== null
  const pick = (wanted: (item: ViewItem) => boolean): readonly string[] =>
    items.filter((item) => wanted(item) && !asked.has(item)).map(({ message }) => textOf(message))
  return {
    said: pick(isSaid),
    told: pick((item) => !isSaid(item) && item.kind !== 'recalled'),
    back: pick(({ kind }) => kind === 'recalled'),
  }
}

function createCounts(): OpenCounts {
  return { references: 0, inContext: 0, onlySummary: 0, inSummary: 0, onlyBack: 0, broughtBack: 0 }
}

function count(
  counts: OpenCounts,
  { inMessage, inTold, isBack }: Readonly<Record<'inMessage' | 'inTold' | 'isBack', boolean>>,
): void {
  counts.references += 1
  if (inMessage || inTold || isBack) counts.inContext += 1
  if (inMessage) return
  counts.onlySummary += 1
  if (inTold) counts.inSummary += 1
  else {
    counts.onlyBack += 1
    if (isBack) counts.broughtBack += 1
  }
}
