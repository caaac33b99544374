import type { WireMessage } from './wire-request.ts'

export interface Unpaired {
  /** Calls that nothing answers before the next message that is no result. */
  readonly unanswered: readonly PairingFault[]
  /** Results that belong to no call right before them. */
  readonly orphans: readonly PairingFault[]
}

interface PairingFault {
  readonly id: string
  readonly index: number
}

/** Tool calls and results that do not belong together, by the rule all vendors share: results follow their calls at once. */
export function findUnpaired(messages: readonly WireMessage[]): Unpaired {
  const unanswered: PairingFault[] = []
  const orphans: PairingFault[] = []
  let open = new Map<string, number>()
  for (const [index, message] of messages.entries()) {
    for (const id of message.resultIds) {
      if (!open.delete(id)) orphans.push({ id, index })
    }
    if (message.role === 'tool') continue
    for (const [id, callIndex] of open) unanswered.push({ id, index: callIndex })
    open = new Map(message.callIds.map((id) => [id, index]))
  }
  for (const [id, index] of open) unanswered.push({ id, index })
  return { unanswered, orphans }
}
