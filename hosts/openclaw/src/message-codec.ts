import type { MirrorCodec } from '@longhaul/engine'
import { createPiMessageCodec } from '@longhaul/store/host'
import type { OpenClawMessage } from './openclaw-api.ts'

/** Reads the messages that OpenClaw sends to its model, and writes those that Longhaul changes. */
export const messageCodec: MirrorCodec<OpenClawMessage> = createPiMessageCodec<OpenClawMessage>({
  // A carrier of runtime facts is OpenClaw's own, and may be another one at the next request.
  isSkipped: ({ runtimeContextCarrier }) => runtimeContextCarrier === true,
  // A turn that has just ended has the ids that the provider gave; in later turns OpenClaw leaves letters and digits.
  readCallId: (id) => id.replaceAll(/[^a-zA-Z0-9]/g, ''),
})
