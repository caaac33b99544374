import { foldEntries } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine/advanced'
import { createInMemoryStore } from '@longhaul/store'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { walkPathBack } from './walk-path-back.ts'

/** A log of messages, and of branches that go so many entries back: to that message, or to before the first one. */
function createLog(steps: readonly (number | null)[]): readonly Entry[] {
  return steps.map((back, index): Entry => {
    const own = { id: `e${index + 1}`, seq: index + 1, at: index }
    if (back === null) return { ...own, type: 'message', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
    const seq = own.seq - back
    return { ...own, type: 'branch', to: steps[seq - 1] === null ? { id: `e${seq}`, seq } : null }
  })
}

it('reads the branch in force, newest first, as the fold has it: of any log, over any number of pages', async () => {
  const step = fc.option(fc.integer({ min: 1, max: 150 }), { freq: 12 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, step), { maxLength: 250 }),
      async (steps) => {
        const entries = createLog(steps)
        const store = createInMemoryStore()
        await store.sessions.create({ id: 's', createdAt: 0, entries })
        const { backing, start, end } = foldEntries(entries).window
        const walked = (await Array.fromAsync(walkPathBack(store, 's'))).filter(({ type }) => type === 'message')
        expect(walked.map(({ seq }) => seq).toReversed()).toEqual(
          backing.slice(start, end).map(({ entry }) => entry.seq),
        )
      },
    ),
    { numRuns: 40 },
  )
})
