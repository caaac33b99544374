import type { MirrorCodec } from '@longhaul/engine'
import { createPiMessageCodec } from '@longhaul/store/host'
import type { PiMessage } from './pi-api.ts'

/** pi never sends an answer that broke off. */
export const piCodec: MirrorCodec<PiMessage> = createPiMessageCodec<PiMessage>({
  isSkipped: ({ role, stopReason }) => role === 'assistant' && (stopReason === 'error' || stopReason === 'aborted'),
})
