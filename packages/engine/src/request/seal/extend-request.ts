import { estimateField, measureMessage } from '../../tokens/estimate-message.ts'
import { addToReading, sumEstimates } from '../../tokens/meter.ts'
import type { Message } from '../../transcript/message.ts'
import type { MeasureContext } from '../view/measure-view.ts'
import { measureRequest } from './measure-bytes.ts'
import { NOT_TO_BE_REPEATED } from './seal.ts'
import { isContinuation } from './seal-roles.ts'
import type { SealedMessage, SealedRequest } from './sealed-request.ts'

/**
 * A sealed request with more said behind it, for a turn beside the conversation, measured as the seal measures. Whoever
 * extends it has left room: `fits` stays as it was. `moreSystem` is added to the system text: no prompt cache knows the
 * request then.
 */
export function extendRequest(
  sealed: SealedRequest,
  added: readonly Message[],
  { estimator, calibration }: Pick<MeasureContext, 'estimator' | 'calibration'>,
  moreSystem: string | null = null,
): SealedRequest {
  const { tools, repairs } = sealed
  const system = moreSystem === null ? sealed.system : [sealed.system ?? [], moreSystem].flat().join('\n\n')
  // What the seal added to have an end is not needed where something follows.
  const kept = repairs.some(isContinuation) ? sealed.messages.slice(0, -1) : sealed.messages
  const messages = joinMessages(kept, added)
  const estimate = sumEstimates([
    ...added.map((message) => measureMessage(message, estimator)),
    { tokens: estimateField(moreSystem ?? '', estimator), frames: 0, numberedLines: 0 },
  ])
  return {
    ...sealed,
    system,
    messages,
    tokens: addToReading(sealed.tokens, estimate, calibration),
    ...measureRequest(system, messages, tools),
    anchor: { ...sealed.anchor, chainHash: NOT_TO_BE_REPEATED },
    repairs: repairs.filter((repair) => !isContinuation(repair)),
  }
}

/** Providers want roles to take turns. */
function joinMessages(messages: readonly SealedMessage[], added: readonly Message[]): readonly SealedMessage[] {
  const last = messages.at(-1)
  const [first, ...rest] = added
  if (last === undefined || last.role !== first?.role) return [...messages, ...added]
  return [...messages.slice(0, -1), { role: last.role, parts: [...last.parts, ...first.parts] }, ...rest]
}
