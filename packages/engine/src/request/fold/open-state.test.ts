import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { arbitraryMessages } from '../../testing/arbitrary-conversation.ts'
import { assistant, call, result, tool, user } from '../../testing/build-conversation.ts'
import { cleared, compaction, prune, ref, reset, transcript, trim, undone } from '../../testing/build-entries.ts'
import type { Line } from '../../testing/build-entries.ts'
import { driveSession } from '../../testing/drive-session.ts'
import type { Entry } from '../../transcript/entry.ts'
import { planUndo } from '../plan/plan-undo.ts'
import { contextItems } from '../plan/session-context.ts'
import { createView } from '../view/view.ts'
import { START_BASE, foldEntry } from './fold.ts'
import { foldEntries } from './fold-log.ts'
import { findBase, findNeededEntries, isCurrentHead, openState } from './open-state.ts'
import type { Base, Head, State } from './state.ts'

const says = (count: number) => Array.from({ length: count }, (_, index) => user(`message ${index + 1}`))
const viewOf = (state: State) => createView(state, PRESETS.longhaul)

/** What a store would read for a base, through JSON, as a restart does. */
function readFor(base: Base, entries: readonly Entry[]): readonly unknown[] {
  const { fromSeq, seqs } = findNeededEntries(base)
  const needed = entries.filter(({ seq }) => seq >= fromSeq || seqs.includes(seq))
  return JSON.parse(JSON.stringify(needed)) as unknown[]
}

function reopen(head: Head, entries: readonly Entry[]): State {
  return openState(JSON.parse(JSON.stringify(head)) as Head, readFor(head.base, entries))
}

describe('findNeededEntries', () => {
  it('asks for what lies after the base, and by number only for what lies before it', () => {
    expect(findNeededEntries(START_BASE)).toEqual({ fromSeq: 0, seqs: [] })
    const { head } = foldEntries(transcript(...says(5), compaction({ fromSeq: 4, carried: [3, 1] })))
    expect(findNeededEntries(head.base)).toEqual({ fromSeq: 4, seqs: [1, 3] })
    const lines = [...says(2), compaction({ fromSeq: 2 }), ...says(3), trim({ fromSeq: 6, previous: 3, summary: 3 })]
    expect(findNeededEntries(foldEntries(transcript(...lines)).head.base)).toEqual({ fromSeq: 6, seqs: [3] })
  })
})

describe('findBase', () => {
  it('gives the base that an entry made, as the fold does', () => {
    const lines: readonly Line[] = [
      ...says(4),
      compaction({ fromSeq: 3, carried: [1] }),
      trim({ fromSeq: 4, previous: 5, summary: 5, dropped: 1, note: 'n' }),
      reset,
    ]
    const entries = transcript(...lines)
    expect(findBase('start')).toEqual(START_BASE)
    for (const place of [4, 5, 6]) {
      expect(findBase(entries[place] as Entry)).toEqual(foldEntries(entries.slice(0, place + 1)).head.base)
    }
    expect(findBase(entries[0] as Entry)).toBeNull()
  })
})

describe('isCurrentHead', () => {
  it('tells a head that was folded by other rules', () => {
    const { head } = foldEntries([])
    expect(isCurrentHead(head)).toBe(true)
    expect(isCurrentHead({ ...head, foldVersion: 0 })).toBe(false)
  })
})

describe('openState', () => {
  const LONG = 'x'.repeat(900)
  const lines: readonly Line[] = [
    ...says(3),
    assistant(call('a')),
    tool(result('a', LONG)),
    { type: 'pin', text: 'keep' },
    compaction({ fromSeq: 4, carried: [2], text: 'first' }),
    prune(cleared(5)),
    ...says(2),
    trim({ fromSeq: 9, carried: [2], previous: 7, summary: 7, note: 'n' }),
    user('now'),
  ]

  it('gives the same view, summary, carried messages, prunes and pins included', () => {
    for (let count = 0; count <= lines.length; count += 1) {
      const entries = transcript(...lines.slice(0, count))
      const state = foldEntries(entries)
      const opened = reopen(state.head, entries)
      expect(viewOf(opened)).toEqual(viewOf(state))
      expect(opened.head).toEqual(state.head)
    }
  })

  it('goes on as the full fold does', () => {
    const entries = transcript(
      ...lines,
      compaction({ fromSeq: 12, previous: 11, text: 'second' }),
      user('on'),
      undone(13),
    )
    for (let count = 11; count < entries.length; count += 1) {
      const { head } = foldEntries(entries.slice(0, count))
      const opened = foldEntries(entries.slice(count), reopen(head, entries.slice(0, count)))
      if (opened.missing === null) expect(viewOf(opened)).toEqual(viewOf(foldEntries(entries)))
      else expect(opened.missing).toEqual(ref(11))
    }
  })

  it('ends where damaged entries point at themselves', () => {
    const entries = transcript(...says(2), compaction({ fromSeq: 2, previous: 3 }))
    expect(openState(foldEntries(entries).head, entries).earlier).toEqual([])
  })

  it('takes entries in any order, twice, and with junk between them', () => {
    const entries = transcript(...lines)
    const state = foldEntries(entries)
    const read = [...entries, null, { seq: 'x' }, ...entries].toReversed()
    expect(viewOf(openState(state.head, read))).toEqual(viewOf(state))
  })

  it('ONE-12 the same view as a full fold, for driven sessions of every preset', async () => {
    const turns = fc.array(arbitraryMessages(4), { minLength: 2, maxLength: 6 })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(PRESETS)),
        fc.constantFrom(3_000, 8_000),
        turns,
        async (policy, windowTokens, said) => {
          const ask = () =>
            Promise.resolve({
              text: '<summary>The user asked for things, and they were done.</summary>',
              finish: 'stop' as const,
            })
          const session = driveSession({ policy, windowTokens, ask })
          for (const messages of said) {
            for (const { role, parts } of messages) session.append({ type: 'message', role, parts })
            await session.maintain('before-turn')
            session.append({
              type: 'message',
              role: 'assistant',
              parts: [{ type: 'text', text: 'done' }],
              anchor: session.seal().anchor,
            })
            await session.maintain('after-response')
            const results = contextItems(session.state()).filter(({ entry }) => entry.role === 'tool')
            session.append(prune(...results.slice(0, 2).map(({ entry }) => cleared(entry.seq))))
          }
          await session.compact()
          const opened = reopen(session.state().head, session.entries)
          expect(createView(opened, policy)).toEqual(session.view())
          for (const { type } of session.entries) seen.add(type)
          if (opened.carried.length > 0) seen.add('carried')
        },
      ),
      { numRuns: 60 },
    )
    for (const kind of ['compaction', 'prune', 'carried']) expect(seen).toContain(kind)
  })
})

describe('an undo that reaches behind what is loaded', () => {
  const entries = transcript(
    ...says(5),
    compaction({ fromSeq: 3, carried: [1] }),
    ...says(3),
    compaction({ fromSeq: 9, previous: 6 }),
  )
  const undo: Entry = { type: 'compaction-undone', seq: 11, id: 'e11', at: 0, compaction: 'e10' }
  const full = foldEntry(foldEntries(entries), undo)

  it('is completed by the base it names and the entries that one needs', () => {
    const opened = foldEntry(reopen(foldEntries(entries).head, entries), undo)
    expect(opened.missing).toEqual(ref(6))
    const base = findBase(entries[5] as Entry) as Base
    const completed = openState({ ...opened.head, base }, readFor(base, entries))
    expect(completed.missing).toBeNull()
    expect(viewOf(completed)).toEqual(viewOf(full))
    expect(completed.head).toEqual(full.head)
  })

  it('needs no completing where the entries below were read at once, so planUndo can be asked again', () => {
    const policy = PRESETS.longhaul
    const session = driveSession({ policy, windowTokens: 200_000 })
    const { head } = foldEntries(entries)
    const shallow = planUndo({ ...session.context(), state: reopen(head, entries) })
    expect(shallow).toEqual({ action: 'load', missing: ref(6) })
    const state = openState(head, readFor(findBase(entries[5] as Entry) as Base, entries))
    expect(viewOf(state)).toEqual(viewOf(foldEntries(entries)))
    const plan = planUndo({ ...session.context(), state })
    expect(plan).toMatchObject({ action: 'undo', undone: ['e10'] })
    expect(viewOf(foldEntry(state, undo))).toEqual(viewOf(full))
    const all = openState(head, entries)
    expect(all.earlier.map(({ base }) => base.kind)).toEqual(['start', 'compaction'])
  })
})
