import { createInMemoryStore } from '@longhaul/store'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findTurnStart } from './find-turn-start.ts'

it('is right before the first event of a turn, however many came before it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ events: fc.integer({ min: 1, max: 9 }), pauseMs: fc.nat(100_000) }), {
        minLength: 1,
        maxLength: 40,
      }),
      fc.nat(),
      async (turns, wanted) => {
        const store = createInMemoryStore()
        await store.sessions.create({ id: 's', createdAt: 1 })
        const starts: { readonly id: string; readonly at: number; readonly first: number }[] = []
        let at = 1_000_000
        for (const [index, { events, pauseMs }] of turns.entries()) {
          const id = `m${index}`
          at += pauseMs
          const first = (await store.events.getLastId('s')) + 1
          starts.push({ id, at, first })
          await store.events.add(
            's',
            at,
            Array.from({ length: events }, () => ({ turnId: id, type: 'text-delta' })),
          )
        }
        const turn = starts[wanted % starts.length]
        expect(turn && (await findTurnStart(store, 's', turn))).toBe(turn && turn.first - 1)
      },
    ),
    { numRuns: 60 },
  )
})
