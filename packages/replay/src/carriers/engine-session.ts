import {
  createLearnt,
  createState,
  createView,
  foldEntry,
  learnFromBill,
  measureView,
  readGauge,
  toCalibration,
} from '@longhaul/engine/advanced'
import type {
  Anchor,
  ContextPolicy,
  EntryBody,
  Environment,
  Limits,
  SessionContext,
  State,
  View,
} from '@longhaul/engine/advanced'

/** The smallest session around the engine: it appends, and learns from bills. */
export interface Session {
  view(): View
  readonly context: () => SessionContext
  append(entry: EntryBody, at: number, id?: string): void
  /** Teaches the meter by the bill of the request that the view makes; returns what the bill was for. */
  learn(inputTokens: number): Anchor
  /** How big the next request is, by the policy's own meter. */
  readTokens(): number
}

export function createSession(policy: ContextPolicy, limits: Limits, environment: Environment): Session {
  let state = createState()
  let learnt = createLearnt()
  // One object until something is learnt: what was measured by it is remembered by it.
  let calibration = toCalibration(learnt)
  const context = (): SessionContext => ({
    state,
    policy,
    limits,
    environment,
    model: null,
    calibration,
  })
  return {
    readTokens: () => readGauge(context()).tokens ?? 0,
    view: () => createView(state, policy),
    context,
    append(entry, at, id) {
      const seq = state.head.lastSeq + 1
      state = forgetPast(foldEntry(state, { ...entry, seq, id: id ?? `e${seq}`, at }))
    },
    learn(inputTokens) {
      const view = createView(state, policy)
      const { reading, trace, lesson } = measureView(view, { ...context(), estimator: policy.estimator })
      learnt = learnFromBill(learnt, { reading, lesson, usage: { input: inputTokens } })
      calibration = toCalibration(learnt)
      return { model: '', itemCount: view.items.length, chainHash: trace.chainHash }
    },
  }
}

/** Messages before the base that are held on to; fewer are not worth the copying. */
const MAX_PAST = 500

/** Nothing is undone here: what no later request can hold is let go, or a long conversation would be held as a whole. */
function forgetPast(state: State): State {
  const { window, carried } = state
  if (window.start <= MAX_PAST) return state.earlier.length === 0 ? state : { ...state, earlier: [] }
  const inView = window.backing.slice(window.start, window.end)
  // What is carried is looked up among the messages, in the order of the transcript.
  const before = carried
    .filter(({ entry }) => entry.seq < (inView[0]?.entry.seq ?? Number.POSITIVE_INFINITY))
    .toSorted((a, b) => a.entry.seq - b.entry.seq)
  const backing = [...before, ...inView]
  return { ...state, earlier: [], window: { backing, start: before.length, end: backing.length } }
}
