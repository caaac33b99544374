import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { assistant, user } from '../../testing/build-conversation.ts'
import { compaction, ref, reset, transcript, trim, undone } from '../../testing/build-entries.ts'
import type { Line } from '../../testing/build-entries.ts'
import { driveSession } from '../../testing/drive-session.ts'
import { foldEntry } from '../fold/fold.ts'
import { foldEntries } from '../fold/fold-log.ts'
import { createView } from '../view/view.ts'
import { planUndo } from './plan-undo.ts'

const words = (tokens: number): string => 'x'.repeat(tokens * 4)
const policy = PRESETS.oneclaw

function undo(windowTokens: number | null, ...lines: readonly Line[]) {
  const { context } = driveSession({ policy, windowTokens })
  return planUndo({ ...context(), state: foldEntries(transcript(...lines)) })
}

describe('planUndo', () => {
  const said = [user(words(5_000)), assistant(words(5_000)), user('now')]

  it('takes the last compaction back, and shows what that gives', () => {
    const plan = undo(200_000, ...said, compaction({ fromSeq: 3 }))
    expect(plan).toMatchObject({ action: 'undo', undone: ['e4'], tokensAfter: 10_003 })
    const state = foldEntries(transcript(...said))
    expect(plan.action === 'undo' ? createView(plan.restored, policy) : null).toEqual(createView(state, policy))
  })

  it('takes a compaction back with the trims above it; of trims alone, the last', () => {
    const lines = [...said, compaction({ fromSeq: 3 }), trim({ fromSeq: 4, previous: 4, summary: 4 })]
    expect(undo(200_000, ...lines)).toMatchObject({ action: 'undo', undone: ['e5', 'e4'] })
    expect(undo(200_000, ...lines, undone(5))).toMatchObject({ action: 'undo', undone: ['e4'] })
    const trims = [...said, trim({ fromSeq: 2 }), trim({ fromSeq: 3, previous: 4 })]
    expect(undo(200_000, ...trims)).toMatchObject({ action: 'undo', undone: ['e5'] })
  })

  it('refuses where there is nothing to undo: at the start, after a reset, after the last undo', () => {
    const nothing = { action: 'refuse', reason: 'nothing-to-undo', tokensAfter: null }
    expect(undo(200_000, ...said)).toEqual(nothing)
    expect(undo(200_000, ...said, reset)).toEqual(nothing)
    expect(undo(200_000, ...said, compaction({ fromSeq: 3 }), reset)).toEqual(nothing)
    expect(undo(200_000, ...said, compaction({ fromSeq: 3 }), undone(4))).toEqual(nothing)
  })

  it('refuses with the number where what comes back would not fit; an unknown window refuses nothing', () => {
    const lines = [...said, compaction({ fromSeq: 3 })]
    expect(undo(13_000, ...lines)).toEqual({ action: 'refuse', reason: 'undo-would-not-fit', tokensAfter: 10_003 })
    expect(undo(13_338, ...lines)).toMatchObject({ action: 'undo' })
    expect(undo(null, ...lines)).toMatchObject({ action: 'undo' })
  })

  it('asks for what is not loaded', () => {
    const { context } = driveSession({ policy, windowTokens: 200_000 })
    const folded = foldEntries(transcript(...said, compaction({ fromSeq: 3 })))
    const base = { ...folded.head.base, previous: ref(2) }
    const state = { ...folded, head: { ...folded.head, base }, earlier: [] }
    expect(planUndo({ ...context(), state })).toEqual({ action: 'load', missing: ref(2) })
  })

  it('changes nothing until the entry is written', () => {
    const state = foldEntries(transcript(...said, compaction({ fromSeq: 3 })))
    const before = createView(state, policy)
    const { context } = driveSession({ policy, windowTokens: 200_000 })
    planUndo({ ...context(), state })
    expect(createView(state, policy)).toEqual(before)
    expect(foldEntry(state, { type: 'message', seq: 5, id: 'e5', at: 0, ...user('next') }).head.isExempt).toBe(false)
  })
})
