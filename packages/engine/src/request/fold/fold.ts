import { MODEL_FREE_STRATEGY } from '../../compaction/strategy.ts'
import { bringsForeignText } from '../../messages/brings-foreign-text.ts'
import { hasToolCall } from '../../messages/tool-pairs.ts'
import { mergePatches } from '../../policy/merge-patches.ts'
import { applyForm, applyForms } from '../../pruning/apply-form.ts'
import { charsOf } from '../../pruning/prunable.ts'
import type {
  BranchEntry,
  FlushEntry,
  CompactionEntry,
  Entry,
  EntryRef,
  MessageEntry,
  PruneDecision,
  TrimEntry,
} from '../../transcript/entry.ts'
import { createItem } from '../../transcript/item.ts'
import type { Item } from '../../transcript/item.ts'
import type { Usage } from '../../transcript/message.ts'
import { readEntry } from '../../transcript/read-entry.ts'
import { append, emptyList, findPlace, startAt } from './append-list.ts'
import { BREAKER_FAILURES, isBreakerOpen } from './breaker.ts'
import { FOLD_VERSION } from './state.ts'
import type { Base, Head, State, Totals } from './state.ts'

export const START_BASE: Base = {
  kind: 'start',
  entry: null,
  fromSeq: 0,
  carried: [],
  summary: null,
  dropped: 0,
  note: null,
  previous: null,
}

export function createState(): State {
  const head: Head = {
    foldVersion: FOLD_VERSION,
    lastSeq: 0,
    epoch: 0,
    model: null,
    base: START_BASE,
    pins: [],
    settings: {},
    environmentHash: null,
    lastCall: null,
    owed: null,
    cycle: 0,
    compactionCount: 0,
    flush: { cycle: null, failures: 0 },
    compactionFailures: 0,
    compactionFailedAt: null,
    isExempt: false,
    foreignSeq: null,
    totals: { messages: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 },
  }
  return { head, document: null, carried: [], window: emptyList(), earlier: [], missing: null }
}

/**
 * One entry further, in constant time (a prune, a compaction and an undo may cost what the window holds). Never throws:
 * what is not an entry, or comes a second time, changes nothing.
 */
export function foldEntry(state: State, value: unknown): State {
  const entry = readEntry(value)
  if (entry === null || entry.seq <= state.head.lastSeq) return state
  return applyEntry(withHead(state, { lastSeq: entry.seq }), entry)
}

function applyEntry(state: State, entry: Entry): State {
  const { head } = state
  switch (entry.type) {
    case 'message':
      return applyMessage(state, entry)
    case 'compaction':
      return standsOnBase(entry, head) ? applyCompaction(state, entry) : state
    case 'trim':
      return standsOnBase(entry, head) ? moveBase(state, entry, trimmedBase(entry)) : state
    case 'reset':
      return applyReset(state, entry)
    case 'compaction-undone':
      return applyUndo(state, entry.compaction, entry.seq)
    case 'prune':
      return applyPrune(state, entry.decisions)
    case 'pin':
      return withHead(state, { pins: [...head.pins, { id: entry.id, seq: entry.seq, text: entry.text }] })
    case 'unpin':
      return withHead(state, { pins: head.pins.filter((pin) => pin.id !== entry.pin) })
    case 'settings':
      return withHead(state, { settings: mergeSettings(head.settings, entry) })
    case 'environment':
      return withHead(state, { environmentHash: entry.hash })
    case 'model-change':
      return withHead(state, { model: entry.model, epoch: entry.seq, compactionFailures: 0 })
    case 'flush':
      return withHead(state, {
        flush: countFlush(head, entry),
        totals: addUsage(head.totals, entry.usage),
      })
    case 'maintenance-failed':
      return withHead(state, {
        totals: addUsage(head.totals, entry.usage),
        ...(entry.work === 'flush'
          ? { flush: { ...head.flush, failures: head.flush.failures + 1 } }
          : countFailure(head, entry.at)),
      })
    case 'bill':
      return withHead(state, {
        totals: addUsage(head.totals, entry.usage),
        // A beat is a call like any other to the provider's cache.
        ...(entry.work === 'heartbeat' ? { lastCall: { at: entry.at, model: entry.model } } : {}),
      })
    case 'branch':
      return applyBranch(state, entry)
    case 'interrupted':
    case 'unknown':
      return state
    default:
      return entry satisfies never
  }
}

/** One that ended after its cycle says nothing about the next: what is said in that is still to be saved. */
function countFlush({ cycle, flush }: Head, entry: FlushEntry): Head['flush'] {
  if ((entry.cycle ?? cycle) !== cycle) return flush
  return entry.outcome === 'failed' ? { ...flush, failures: flush.failures + 1 } : { cycle, failures: 0 }
}

/** While the breaker is open it is the fallbacks that fail: that lengthens no rest. A model's failure skips no fallback. */
function countFailure(head: Head, at: number): Pick<Head, 'compactionFailures' | 'compactionFailedAt'> {
  const failures = head.compactionFailures + 1
  if (isBreakerOpen(head, at)) return { compactionFailures: failures, compactionFailedAt: head.compactionFailedAt }
  return { compactionFailures: Math.min(failures, BREAKER_FAILURES), compactionFailedAt: at }
}

/** Work planned on another base came too late: taken now, it would hide what was said since. */
function standsOnBase({ previous }: CompactionEntry | TrimEntry, { base }: Head): boolean {
  return (previous?.id ?? null) === (base.entry?.id ?? null)
}

function applyMessage(state: State, entry: MessageEntry): State {
  const { head } = state
  const totals = addUsage({ ...head.totals, messages: head.totals.messages + 1 }, entry.usage)
  const hasAnswered = entry.role === 'assistant' && entry.finish !== 'error' && entry.finish !== 'aborted'
  const lastCall = hasAnswered ? { at: entry.at, model: entry.model ?? head.model } : head.lastCall
  const compactionFailures = Math.min(head.compactionFailures, BREAKER_FAILURES)
  const foreignSeq = bringsForeignText(entry) ? entry.seq : head.foreignSeq
  const next = withHead(state, { totals, lastCall, compactionFailures, owed: findOwed(head.owed, entry), foreignSeq })
  return { ...next, window: append(state.window, createItem(entry)) }
}

/** An answer that calls tools is not the end of its turn, and neither are their results. */
function findOwed(owed: EntryRef | null, entry: MessageEntry): EntryRef | null {
  if (entry.role === 'user') return { id: entry.id, seq: entry.seq }
  return entry.role === 'tool' || hasToolCall(entry) ? owed : null
}

function applyCompaction(state: State, entry: CompactionEntry): State {
  const moved = moveBase(state, entry, compactedBase(entry))
  return {
    ...withHead(moved, {
      compactionCount: state.head.compactionCount + 1,
      // What needs no model proves nothing about the model: the breaker stays as it is.
      compactionFailures: entry.strategy === MODEL_FREE_STRATEGY ? state.head.compactionFailures : 0,
      totals: addUsage(state.head.totals, entry.usage),
    }),
    document: entry.document,
  }
}

export function compactedBase(entry: CompactionEntry): Base {
  return { ...movedBase(entry), kind: 'compaction', summary: { id: entry.id, seq: entry.seq }, dropped: 0, note: null }
}

export function trimmedBase(entry: TrimEntry): Base {
  return { ...movedBase(entry), kind: 'trim', summary: entry.summary, dropped: entry.dropped, note: entry.note }
}

/** A reset is never undone, so nothing lies below it. */
export function resetBase(entry: EntryRef): Base {
  return { ...START_BASE, kind: 'reset', entry: { id: entry.id, seq: entry.seq }, fromSeq: entry.seq + 1 }
}

function movedBase(entry: CompactionEntry | TrimEntry): Omit<Base, 'kind' | 'summary' | 'dropped' | 'note'> {
  return {
    entry: { id: entry.id, seq: entry.seq },
    fromSeq: entry.fromSeq,
    carried: entry.carried.filter(({ seq }) => seq < entry.fromSeq),
    previous: entry.previous,
  }
}

function applyReset(state: State, entry: EntryRef): State {
  const moved = moveBase(state, entry, resetBase(entry))
  return { ...withHead(moved, { compactionFailures: 0, owed: null }), document: null }
}

/** A new cycle: a flush is allowed again, whatever became of the last one. */
/** A trim starts no cycle of its own: otherwise memory would be saved again at every one. */
function moveBase(state: State, entry: EntryRef, base: Base): State {
  const { cycle, flush } = state.head
  const isTrim = base.kind === 'trim'
  const moved = withHead(state, {
    base,
    epoch: entry.seq,
    cycle: isTrim ? cycle : cycle + 1,
    flush: isTrim ? flush : { ...flush, failures: 0 },
    isExempt: false,
  })
  return {
    ...moved,
    ...showBase(moved, base),
    earlier: [...state.earlier, { base: state.head.base, document: state.document }],
  }
}

/** Last in, first out: naming anything but the base in force has no effect, and a reset is final. */
function applyUndo(state: State, undone: string, seq: number): State {
  const { base } = state.head
  if (base.entry?.id !== undone || base.kind === 'reset') return state
  const moved = withHead(state, { epoch: seq, isExempt: true })
  const before = state.earlier.at(-1)
  if (before === undefined) return { ...moved, missing: base.previous ?? 'start' }
  const restored = withHead(moved, { base: before.base })
  return {
    ...restored,
    ...showBase(restored, before.base),
    document: before.document,
    earlier: state.earlier.slice(0, -1),
  }
}

/** Goes back to a message in the window in constant time. Anything farther away needs the log: see `fold-log.ts`. */
function applyBranch(state: State, { to, seq }: BranchEntry): State {
  const { window, head } = state
  const place = to === null ? -1 : placeOf(window, to.seq)
  const item = window.backing[place]
  const isInWindow = to !== null && item?.entry.id === to.id && place >= window.start && place < window.end
  const moved = withHead(state, { epoch: seq, owed: item?.entry.role === 'user' ? to : null })
  if (to === null || !isInWindow || (head.base.entry?.seq ?? 0) > to.seq) return { ...moved, missing: to ?? 'start' }
  const pins = head.pins.filter((pin) => pin.seq < to.seq)
  return { ...withHead(moved, { pins }), window: { ...window, end: place + 1 } }
}

export function showBase({ window }: State, base: Base): Pick<State, 'window' | 'carried'> {
  return {
    window: startAt(window, placeOf(window, base.fromSeq)),
    carried: base.carried.flatMap(({ seq }) => {
      const item = window.backing[placeOf(window, seq)]
      return item?.entry.seq === seq ? [item] : []
    }),
  }
}

function placeOf(window: State['window'], seq: number): number {
  return findPlace(window, ({ entry }) => entry.seq < seq)
}

export function applyPrune(state: State, decisions: readonly PruneDecision[]): State {
  const backing = state.window.backing.slice(0, state.window.end)
  for (const decision of decisions) {
    const place = placeOf(state.window, decision.entry.seq)
    const item = backing[place]
    if (item?.entry.id === decision.entry.id) backing[place] = pruneItem(item, decision)
  }
  const window = { ...state.window, backing }
  return { ...state, ...showBase({ ...state, window }, state.head.base) }
}

/** Forms only shrink: a decision that would not make its part shorter than it stands is passed over. */
function pruneItem(item: Item, { entry: _entry, part, ...form }: PruneDecision): Item {
  const stored = item.entry.parts[part]
  if (stored?.type !== 'tool-result' && stored?.type !== 'tool-call') return item
  const shown = item.message.parts[part] as typeof stored
  if (charsOf(applyForm(stored, form)) >= charsOf(shown)) return item
  const forms = new Map(item.forms).set(part, form)
  return { ...item, message: applyForms(item.entry, forms), forms }
}

function mergeSettings(settings: Head['settings'], { title, preset, policy }: Head['settings']): Head['settings'] {
  return {
    ...settings,
    ...(title === undefined ? {} : { title }),
    ...(preset === undefined ? {} : { preset }),
    ...(policy === undefined ? {} : { policy: mergePatches(settings.policy ?? {}, policy) }),
  }
}

function addUsage(totals: Totals, usage: Usage | undefined): Totals {
  if (usage === undefined) return totals
  return {
    ...totals,
    inputTokens: totals.inputTokens + usage.input,
    outputTokens: totals.outputTokens + usage.output,
    costUsd: totals.costUsd + (usage.costUsd ?? 0),
    unpricedCalls: totals.unpricedCalls + (usage.costUsd === undefined ? 1 : 0),
  }
}

/** The state with some counters or pointers changed. */
export function withHead(state: State, change: Partial<Head>): State {
  return { ...state, head: { ...state.head, ...change } }
}
