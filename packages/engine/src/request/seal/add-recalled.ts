import { measureMessage } from '../../tokens/estimate-message.ts'
import { createLink, hashText } from '../../tokens/hash.ts'
import type { Lesson } from '../../tokens/calibrate.ts'
import { sumEstimates } from '../../tokens/meter.ts'
import type { Message } from '../../transcript/message.ts'
import type { MeasureContext } from '../view/measure-view.ts'
import type { ViewItem } from '../view/view-item.ts'
import type { View } from '../view/view.ts'
import { extendRequest } from './extend-request.ts'
import { isContinuation } from './seal-roles.ts'
import { isLossy } from './sealed-request.ts'
import type { SealedRequest } from './sealed-request.ts'

/** A request, the view it was made of, and what its bill will teach by. */
export interface RequestWithView {
  readonly sealed: SealedRequest
  readonly view: View
  readonly lesson: Lesson
}

/**
 * The request with lines from earlier messages at its end, for this one time. All before them stays byte for byte, the
 * anchor stands for the request without them, and tells how large they are. null: there is no room, or no message that
 * they could stand behind.
 */
export function addRecalled(
  { sealed, view, lesson }: RequestWithView,
  message: Message,
  { context, maxTokens }: { readonly context: MeasureContext; readonly maxTokens: number | null },
): RequestWithView | null {
  if (sealed.repairs.some((repair) => isContinuation(repair) || isLossy(repair))) return null
  const extended = extendRequest(sealed, [message], context)
  const [before, after] = [sealed.tokens.tokens, extended.tokens.tokens]
  if (maxTokens !== null && (after ?? 0) > maxTokens) return null
  const item = createRecalledItem(message, context)
  const asideTokens = before === null || after === null ? 0 : after - before
  return {
    sealed: {
      ...extended,
      anchor: { ...sealed.anchor, asideTokens },
      stableMessages: Math.min(sealed.messages.length, extended.messages.length - 1),
    },
    view: { ...view, items: [...view.items, item] },
    lesson: { ...lesson, rest: sumEstimates([lesson.rest, measureMessage(message, context.estimator)]) },
  }
}

function createRecalledItem(message: Message, { estimator }: Pick<MeasureContext, 'estimator'>): ViewItem {
  const key = `recalled:${hashText(JSON.stringify(message.parts))}`
  return {
    kind: 'recalled',
    id: key,
    place: 'message',
    message,
    state: 'verbatim',
    key,
    link: createLink(key),
    ...measureMessage(message, estimator),
    entry: null,
    isEdited: false,
    hasReasoning: false,
    reasoningTokens: 0,
  }
}
