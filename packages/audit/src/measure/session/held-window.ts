import type { FactState } from './fact-table.ts'
import type { Departure } from './watch-fetches.ts'
import type { WindowText, WindowView } from './window-view.ts'

/**
 * Keeps count of what the window names. A message is counted once when it comes and once when it leaves, so that a session
 * takes time by its length, however often it is compacted.
 */
export interface HeldWindow {
  readonly messages: ReadonlySet<number>
  add(number: number, held: ReadonlySet<FactState>): void
  /** Answers the facts of all that left; some of them are held by what stayed. */
  moveTo(view: WindowView, departure: Departure): ReadonlySet<FactState>
  departureOf(message: number): Departure | null
  forgetDepartures(): void
}

export function createHeldWindow(readText: (text: WindowText) => ReadonlySet<FactState>): HeldWindow {
  const departures = new Map<number, Departure>()
  const heldBy = new Map<number, ReadonlySet<FactState>>()
  let texts = new Map<string, ReadonlySet<FactState>>()
  let messages = new Set<number>()
  return {
    get messages() {
      return messages
    },
    add(number, held) {
      messages.add(number)
      heldBy.set(number, held)
      for (const fact of held) fact.held += 1
    },
    moveTo(view, departure) {
      const before = texts
      texts = new Map(view.texts.map((text) => [text.key, before.get(text.key) ?? readText(text)]))
      // New texts are counted before old ones leave, so that a fact that is in both is never counted as absent.
      for (const [key, held] of texts) if (!before.has(key)) for (const fact of held) fact.held += 1
      const gone = new Set<FactState>()
      const drop = (held: Iterable<FactState>): void => {
        for (const fact of held) {
          fact.held -= 1
          gone.add(fact)
        }
      }
      for (const [key, held] of before) if (!texts.has(key)) drop(held)
      for (const number of messages) {
        if (view.messages.has(number)) continue
        drop(heldBy.get(number) ?? [])
        heldBy.delete(number)
        departures.set(number, departure)
      }
      messages = new Set([...view.messages].filter((number) => messages.has(number)))
      return gone
    },
    departureOf: (message) => departures.get(message) ?? null,
    forgetDepartures() {
      departures.clear()
    },
  }
}
