import { planPin } from '@longhaul/engine/advanced'
import type { JsonObject, SessionContext } from '@longhaul/engine/advanced'
import type { InboxKind } from '@longhaul/store/port'
import type { AgentErrorCode } from '../port/agent-event.ts'

interface PinProblem {
  readonly code: AgentErrorCode
  readonly message: string
}

/** Why a text cannot be pinned, or a pin not be taken away; null: it can. */
export function findPinProblem(
  context: SessionContext,
  { kind, payload }: { readonly kind: InboxKind; readonly payload: JsonObject },
): PinProblem | null {
  if (kind === 'unpin') {
    const wanted = String(payload['pin'] ?? '')
    const isThere = context.state.head.pins.some(({ id }) => id === wanted)
    return isThere ? null : { code: 'not-found', message: `There is no pin called ${wanted}.` }
  }
  if (kind !== 'pin') return null
  const text = String(payload['text'] ?? '').trim()
  if (text === '') return { code: 'invalid-request', message: 'There is nothing to pin.' }
  const { fits, neededTokens, pinTokens } = planPin(context, text)
  if (fits) return null
  return {
    code: 'pin-too-large',
    message: `All pins together may take ${pinTokens} tokens (5 % of the window); with this one they would take about ${neededTokens}. Shorten it, or unpin another.`,
  }
}
