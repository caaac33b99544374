import { renderMessage } from '../messages/render-text.ts'
import { sliceHead, sliceTail } from '../messages/slice-text.ts'
import type { CompactionPolicy } from '../policy/policy.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'

export interface SpanForm {
  readonly preview: CompactionPolicy['preview']
  /** Begins each message with its `#seq`, for a summariser that is asked what its points rest on. */
  readonly isNumbered?: boolean
}

/** The text of a span for a summariser: as stored, even where the request sends a pruned form, and cut only by the preview. */
export function renderSpan(items: readonly Item[], { preview, isNumbered = false }: SpanForm): string {
  return items
    .flatMap(({ entry }) => {
      const text = renderMessage(entry, preview ?? {})
      return text === '' ? [] : [isNumbered ? `#${entry.seq} ${text}` : text]
    })
    .join('\n\n')
}

/** At most `maxChars`, the note about the missing middle included. Half a surrogate pair is never left at the cut. */
export function capMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const room = maxChars - leftOutNote(text.length).length
  if (room < 2) return sliceHead(text, maxChars)
  const head = sliceHead(text, Math.ceil(room / 2))
  const tail = sliceTail(text, Math.floor(room / 2))
  return `${head}${leftOutNote(text.length - head.length - tail.length)}${tail}`
}

/**
 * Cuts the middle until the estimate is at most `maxTokens`. The share of characters to keep is guessed from the estimate
 * and checked again, because no estimator promises to shrink in step with the text.
 */
export function fitTokens(text: string, maxTokens: number, estimator: Estimator): string {
  let fitted = text
  let maxChars = text.length
  for (;;) {
    const tokens = estimateField(fitted, estimator)
    if (tokens <= maxTokens) return fitted
    maxChars = Math.floor(Math.min(maxChars - 1, maxChars * Math.min(0.98, maxTokens / tokens)))
    if (maxChars <= 0) return ''
    fitted = capMiddle(text, maxChars)
  }
}

function leftOutNote(chars: number): string {
  return `\n[… ${chars} characters left out …]\n`
}
