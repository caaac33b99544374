import { PRESETS, UNCALIBRATED, createState, foldEntry } from '@longhaul/engine/advanced'
import type { Limits, Message, MessageEntry, NewEntry, SessionContext, State } from '@longhaul/engine/advanced'
import { createEnvironment } from './environment.ts'
import { FIRST_MESSAGE, createTurn } from './transcript.ts'

/** Where a session stands. A value, so that a session can go back to it. */
export interface Place {
  readonly state: State
  readonly limits: Limits | null
  /** The number of the next turn. */
  readonly turn: number
  readonly messages: number
  readonly now: number
  /** The request that the next answer answers. */
  readonly sent: { readonly items: number; readonly chainHash: string; readonly tokens: number }
}

export interface WrittenTurn {
  readonly answer: MessageEntry
  readonly input: readonly MessageEntry[]
  readonly isReply: boolean
}

/** An entry without what the store and the clock add. */
export type Unwritten<T = NewEntry> = T extends NewEntry ? Omit<T, 'id' | 'at'> : never

export const policy = PRESETS.longhaul
const MODEL = 'scripted'
const MS_BETWEEN_ENTRIES = 10_000
const environment = createEnvironment()

export const measureContext = { environment, model: MODEL, calibration: UNCALIBRATED, estimator: policy.estimator }

export function createPlace(limits: Limits | null): Place {
  const empty: Place = {
    state: createState(),
    limits,
    turn: 0,
    messages: 0,
    now: 1_700_000_000_000,
    sent: { items: 0, chainHash: '', tokens: 0 },
  }
  const started = appendEntry(empty, { type: 'model-change', model: MODEL })
  return { ...appendEntry(started, { type: 'message', ...FIRST_MESSAGE }), messages: 1 }
}

export function contextOf({ state, limits }: Place): SessionContext {
  return { state, limits, policy, environment, model: MODEL, calibration: UNCALIBRATED }
}

export function appendEntry(place: Place, entry: Unwritten): Place {
  const seq = place.state.head.lastSeq + 1
  return { ...place, state: foldEntry(place.state, { ...entry, seq, id: createId(seq), at: place.now }) }
}

/** The entries of the next turn as a store would hand them out: new objects, numbered, the answer with its bill. */
export function writeTurn({ state, turn, now, sent }: Place): WrittenTurn {
  const { answer, input, isReply } = createTurn(turn)
  const write = (message: Message, offset: number): MessageEntry => {
    const seq = state.head.lastSeq + 1 + offset
    return { type: 'message', seq, id: createId(seq), at: now + (offset + 1) * MS_BETWEEN_ENTRIES, ...message }
  }
  return {
    answer: {
      ...write(answer, 0),
      model: MODEL,
      usage: { input: sent.tokens, output: 200, cacheRead: Math.floor(sent.tokens * 0.9) },
      anchor: { model: MODEL, itemCount: sent.items, chainHash: sent.chainHash },
      finish: isReply ? 'stop' : 'tool-calls',
    },
    input: input.map((message, index) => write(message, index + 1)),
    isReply,
  }
}

export function afterTurn(place: Place, state: State, entryCount: number): Place {
  return {
    ...place,
    state,
    turn: place.turn + 1,
    messages: place.messages + entryCount,
    now: place.now + entryCount * MS_BETWEEN_ENTRIES,
  }
}

/** As long as the ids of a store are. */
export function createId(seq: number): string {
  return `01j${String(seq).padStart(23, '0')}`
}
