import { neutralizeWithin } from '../messages/neutralize.ts'
import { outputText } from '../messages/render-text.ts'
import { shortenEnd } from '../messages/shorten.ts'
import { sliceTail } from '../messages/slice-text.ts'
import type { PruningPolicy } from '../policy/policy.ts'
import type { PruneForm } from '../transcript/entry.ts'
import type { ToolResultPart } from '../transcript/message.ts'
import type { Prunable } from './prunable.ts'

/** Why a result was cleared, and which file it was about, where that is known. */
export interface ClearedFacts {
  readonly why: 'read-again' | 'changed' | 'space'
  readonly path: string | null
}

/** Long strings in the input of an old call: usually files that were written, and lie on the disk since. */
const LONG_ARGUMENT = { headChars: 300, tailChars: 200 }

const NAME_CHARS = 30
const PATH_CHARS = 70
const WHY = {
  'read-again': '; it was read again later.',
  changed: '; it was changed later.',
  space: ', to make room.',
} as const

export function createTrimForm({ stored }: Prunable<ToolResultPart>, { softTrim }: PruningPolicy): PruneForm {
  const { headChars, tailChars } = softTrim
  const chars = outputText(stored.output).length
  const note = `[Tool result trimmed: kept first ${headChars} and last ${tailChars} of ${chars} characters.]`
  return { form: 'soft-trimmed', headChars, tailChars, note }
}

/** The note speaks to the model that reads its own old call: it must neither copy the cut nor take it for a mistake. */
export function createArgumentForm(seq: number): PruneForm {
  const note = `[Shortened in this view only: the tool was given the full text. Ask recall for seq ${seq} if needed.]`
  return { form: 'soft-trimmed', ...LONG_ARGUMENT, note }
}

/** The policy's placeholder, or one that says what stood there and how to get it back, without repeating any of it. */
export function createClearForm(
  { stored, item }: Prunable<ToolResultPart>,
  { hardClear }: PruningPolicy,
  { why, path }: ClearedFacts = { why: 'space', path: null },
): PruneForm {
  if (hardClear.placeholder !== null) return { form: 'cleared', placeholder: hardClear.placeholder }
  const name = shortenEnd(neutralizeWithin(stored.toolName), NAME_CHARS - 1)
  const what = path === null ? name : `${name} ${shortenStart(neutralizeWithin(path), PATH_CHARS - 1)}`
  const chars = String(outputText(stored.output).length).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  const how = `Ask recall for seq ${item.entry.seq} if needed.`
  return { form: 'cleared', placeholder: `[Cleared: ${what} (${chars} characters)${WHY[why]} ${how}]` }
}

/** The end of a path says more than its start. */
function shortenStart(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `…${sliceTail(text, maxChars)}`
}
