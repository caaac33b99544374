import type { DriverEvent } from './ports.ts'

/**
 * Tells an event to everybody who listens. It is told in the middle of work that the conversation rests on: what a listener
 * throws must not end that, so listeners hear of it as a problem, and what they throw then is dropped.
 */
export function tellListeners(listeners: ReadonlySet<(event: DriverEvent) => void>, event: DriverEvent): void {
  for (const listener of listeners) {
    try {
      listener(event)
    } catch (error) {
      if (event.type !== 'problem') tellListeners(listeners, { type: 'problem', work: 'listener', error })
    }
  }
}
