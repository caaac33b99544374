import { outputText } from '../messages/render-text.ts'
import { sliceHead, sliceTail } from '../messages/slice-text.ts'
import type { ToolResultsPolicy } from '../policy/policy.ts'
import { DEFAULT_PRESET, PRESETS } from '../policy/presets.ts'
import type { ContentPart, ToolOutput } from '../transcript/message.ts'
import { readOutput } from '../transcript/read-message.ts'
import { usableLimit } from './usable-limit.ts'

export interface TruncationPolicy extends Pick<ToolResultsPolicy, 'maxChars' | 'keep'> {
  /** Where the caller keeps `outputText` of the full output; the offset in the marker counts in that text. */
  readonly artifactId?: string | null
}

/** Characters are those of text; images and files are neither counted nor cut. */
export interface TruncatedOutput {
  readonly output: ToolOutput
  readonly truncated: boolean
  readonly totalChars: number
  readonly keptChars: number
}

const DEFAULT_MAX_CHARS = PRESETS[DEFAULT_PRESET].toolResults.maxChars
const TAIL_SHARE = 0.3
/** A cut moves to a line end if it costs no more than this share of the piece. */
const NEWLINE_SHARE = 0.1

/**
 * What is stored of a tool's answer, or of its error. Takes any value and never throws. The limit is for the content:
 * the marker comes on top of it. A list of parts is cut as one text, so there is one marker, and what it says is true of
 * the whole.
 *
 * @example
 * const { output, truncated } = truncateToolOutput(text, { maxChars: 30_000, keep: 'head-tail' })
 */
export function truncateToolOutput(value: unknown, policy: TruncationPolicy): TruncatedOutput {
  const output = readAnything(value)
  const parts: readonly ContentPart[] = typeof output === 'string' ? [{ type: 'text', text: output }] : output
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const totalChars = text.length
  const maxChars = usableLimit(policy.maxChars, DEFAULT_MAX_CHARS)
  if (totalChars <= maxChars) return { output, truncated: false, totalChars, keptChars: totalChars }

  const cut = policy.keep === 'head-tail' ? cutMiddle(text, maxChars) : cutEnd(text, maxChars)
  const kept = cutParts(parts, cut, (offset) => createMarker(cut, totalChars, policy.artifactId ?? null, offset))
  return {
    output: typeof output === 'string' ? outputText(kept) : kept,
    truncated: true,
    totalChars,
    keptChars: cut.headEnd + totalChars - cut.tailStart,
  }
}

/** What lies between the two places is left out. */
interface Cut {
  readonly headEnd: number
  readonly tailStart: number
}

function cutEnd(text: string, maxChars: number): Cut {
  return { headEnd: sliceHead(text, maxChars).length, tailStart: text.length }
}

function cutMiddle(text: string, maxChars: number): Cut {
  const tailChars = Math.floor(maxChars * TAIL_SHARE)
  const head = sliceHead(text, maxChars - tailChars)
  const tail = sliceTail(text, tailChars)
  const lastNewline = head.lastIndexOf('\n')
  const firstNewline = tail.indexOf('\n')
  const endsAtLine = lastNewline >= 0 && lastNewline >= head.length * (1 - NEWLINE_SHARE)
  const startsAtLine = firstNewline >= 0 && firstNewline < tail.length * NEWLINE_SHARE
  return {
    headEnd: endsAtLine ? lastNewline : head.length,
    tailStart: text.length - tail.length + (startsAtLine ? firstNewline + 1 : 0),
  }
}

/** The marker stands at the end of the part in which the head ends; parts of which nothing is left are dropped. */
function cutParts(
  parts: readonly ContentPart[],
  { headEnd, tailStart }: Cut,
  markerAt: (offset: number) => string,
): ContentPart[] {
  const kept: ContentPart[] = []
  let start = 0
  let artifactStart = 0
  let isMarked = false
  for (const part of parts) {
    if (part.type === 'text') {
      const end = start + part.text.length
      const head = part.text.slice(0, Math.max(0, headEnd - start))
      const tail = part.text.slice(Math.max(0, tailStart - start))
      if (!isMarked && end >= headEnd) {
        const marker = markerAt(artifactStart + head.length)
        kept.push({ ...part, text: `${head}\n\n${marker}${tail === '' ? '' : `\n\n${tail}`}` })
        isMarked = true
      } else if (end < headEnd || start >= tailStart) kept.push(part)
      else if (tail !== '') kept.push({ ...part, text: tail })
      start = end
    } else kept.push(part)
    artifactStart += outputText([part]).length + 1
  }
  return kept
}

function createMarker(
  { headEnd, tailStart }: Cut,
  totalChars: number,
  artifactId: string | null,
  offset: number,
): string {
  const tailChars = totalChars - tailStart
  const shown = tailChars === 0 ? `first ${headEnd} characters` : `first ${headEnd} and last ${tailChars} characters`
  const marker = `[... content truncated, showing ${shown} of ${totalChars} total ...]`
  return artifactId === null ? marker : `${marker}\nRead the rest with read_artifact id=${artifactId} offset=${offset}`
}

/** A value may hide code that throws when it is read (a getter, a proxy); an error says more than its JSON, `{}`. */
function readAnything(value: unknown): ToolOutput {
  try {
    return readOutput(value instanceof Error ? value.message : value)
  } catch {
    return '[unreadable value]'
  }
}
