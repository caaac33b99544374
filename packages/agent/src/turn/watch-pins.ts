import type { SealedRequest } from '@longhaul/engine'
import type { ActiveSession } from '../session/active-session.ts'

/** Looks for every pin in what is about to be sent. */
export type PinWatch = (turnId: string, sealed: Pick<SealedRequest, 'system' | 'messages'>) => void

/**
 * Pins are in every request. Only one that had to be cut to the bone can lack them, such as the first after a change to a
 * much smaller window: every such request is logged, and the user hears of it once until other pins are missing.
 */
export function createPinWatch({ agent, events, log }: ActiveSession): PinWatch {
  let told = ''
  return (turnId, { system, messages }) => {
    const texts = [
      system ?? '',
      ...messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : ''))),
    ]
    const { pins } = log.state().head
    const lost = pins.filter(({ text }) => !texts.some((sent) => sent.includes(text)))
    for (const { id, text } of lost) {
      const message = `There was no room for a pin in this request: ${text}`
      agent.log({ level: 'error', event: 'pin-lost', message, id })
    }
    const missing = lost.map(({ id }) => id).join()
    if (missing !== '' && missing !== told) {
      events.emit(turnId, { type: 'context-trimmed', message: describeLost(lost.length, pins.length) })
    }
    told = missing
  }
}

function describeLost(lost: number, all: number): string {
  const which = all === 1 ? 'your pin' : lost === all ? 'your pins' : `${lost} of your ${all} pins`
  return `There is no room for ${which} in this model’s window: for now it does not know what you pinned. Unpin something, or choose a model with a larger window.`
}
