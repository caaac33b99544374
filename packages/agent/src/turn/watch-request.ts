import { isLossy } from '@longhaul/engine/advanced'
import type { Pin, Repair, SealedRequest } from '@longhaul/engine/advanced'
import type { ActiveSession } from '../session/active-session.ts'

/** Looks at a request that is about to be sent, and tells the user what it lacks. */
export type RequestWatch = (turnId: string, sealed: Pick<SealedRequest, 'system' | 'messages' | 'repairs'>) => void

/**
 * A request that had to be cut to the bone can lack pins, messages or results: the first after a change to a much smaller
 * window, or one that a provider refused. Each such request is logged; the user hears of it once, until it lacks others.
 */
export function createRequestWatch({ agent, events, log }: ActiveSession): RequestWatch {
  let toldPins = ''
  let toldCuts = ''
  return (turnId, sealed) => {
    const { pins } = log.state().head
    const lost = findLostPins(pins, sealed)
    const cuts = sealed.repairs.filter(isLossy)
    for (const { id, text } of lost) {
      const message = `There was no room for a pin in this request: ${text}`
      agent.log({ level: 'error', event: 'pin-lost', message, id })
    }
    for (const { kind, detail } of cuts)
      agent.log({ level: 'warn', event: 'request-cut', message: `${kind}: ${detail}` })
    const missing = lost.map(({ id }) => id).join()
    const cut = describeCuts(cuts)
    if (missing !== '' && missing !== toldPins) tell(describeLost(lost.length, pins.length))
    if (cut !== '' && cut !== toldCuts) tell(cut)
    toldPins = missing
    toldCuts = cut

    function tell(message: string): void {
      events.emit(turnId, { type: 'context-trimmed', message })
    }
  }
}

function findLostPins(
  pins: readonly Pin[],
  { system, messages }: Pick<SealedRequest, 'system' | 'messages'>,
): readonly Pin[] {
  if (pins.length === 0) return []
  const texts = [
    system ?? '',
    ...messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : ''))),
  ]
  return pins.filter(({ text }) => !texts.some((sent) => sent.includes(text)))
}

function describeLost(lost: number, all: number): string {
  const which = all === 1 ? 'your pin' : lost === all ? 'your pins' : `${lost} of your ${all} pins`
  return `There is no room for ${which} in this model’s window: for now it does not know what you pinned. Unpin something, or choose a model with a larger window.`
}

const CUTS = [
  ['message-left-out', 'message'],
  ['result-left-out', 'tool result'],
  ['media-left-out', 'image or file'],
  ['text-cut', 'text that was cut'],
] as const

/** Empty: nothing was cut. */
function describeCuts(cuts: readonly Repair[]): string {
  const found = CUTS.flatMap(([kind, name]) => {
    const count = cuts.filter((cut) => cut.kind === kind).length
    return count === 0 ? [] : [`${count} × ${name}`]
  })
  return found.length === 0
    ? ''
    : `The model’s window could not hold everything. Left out of this request: ${found.join(', ')}.`
}
