import { createInMemoryStore } from '@longhaul/store'
import { expect, it } from 'vitest'
import { createRecallTools } from './recall-tools.ts'

it('OPEN-10 recall shows a long message around what was asked for', async () => {
  const store = createInMemoryStore()
  const filler = 'It rained all day and nothing was done. '.repeat(500)
  const text = `${filler}The vault code is 4711-ZX. ${filler}`
  await store.sessions.create({
    id: 's',
    createdAt: 0,
    entries: [{ type: 'message', seq: 1, id: 'm1', at: 0, role: 'user', parts: [{ type: 'text', text }] }],
  })
  const [recall] = createRecallTools(store, 's')
  const context = { sessionId: 's', toolCallId: 'c', signal: new AbortController().signal }
  const outcome = await recall?.run({ query: 'vault code' }, context)
  expect(outcome?.output).toContain('The vault code is 4711-ZX.')
  expect(String(outcome?.output).length).toBeLessThan(5_000)
})

it.each([[{ ids: ['2'] }], [{ ids: ['seq 2'] }], [{ query: 'seq 2' }], [{ ids: ['m2'] }]])(
  'OPEN-10 LH-03 recall finds what a placeholder calls seq 2: %j',
  async (input) => {
    const store = createInMemoryStore()
    const say = (seq: number, text: string) =>
      ({ type: 'message', seq, id: `m${seq}`, at: 0, role: 'user', parts: [{ type: 'text', text }] }) as const
    await store.sessions.create({ id: 's', createdAt: 0, entries: [say(1, 'a ladder'), say(2, 'a lantern')] })
    const [recall] = createRecallTools(store, 's')
    const context = { sessionId: 's', toolCallId: 'c', signal: new AbortController().signal }
    const outcome = await recall?.run(input, context)
    expect(outcome?.output).toContain('a lantern')
    expect(outcome?.output).not.toContain('a ladder')
  },
)
