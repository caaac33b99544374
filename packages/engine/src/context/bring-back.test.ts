import { describe, expect, it } from 'vitest'
import { createContext } from './create-context.ts'
import type { Context, ContextRequest } from './create-context.ts'

const SUMMARY = `<summary>
+ Goal: look after the garden
+ Next: go on with the next bed
</summary>`
const PLANTS = ['beans', 'peas', 'kale', 'leeks', 'onions', 'garlic', 'sorrel', 'fennel', 'chard', 'cress']
const FACT = 'Hendricks, the plumber, wants to repair the greenhouse boiler from inside the cellar.'
const QUESTION = 'From where does the plumber repair the greenhouse boiler?'

/** The fact is said without a request, in passing, and much is said after it. */
async function talkLong(policy: object, turns = 120): Promise<Context> {
  const context = createContext({ windowTokens: 16_000, ask: async () => SUMMARY, policy })
  await talk(context, turns, FACT)
  return context
}

async function talk(context: Context, turns: number, remark: string): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    const plant = PLANTS[turn % PLANTS.length] as string
    await context.add({ role: 'user', content: `Bed ${turn}: ${`the ${plant} are fine and wet today. `.repeat(20)}` })
    const { tokens } = await context.nextRequest()
    const text = turn === 2 ? `${'The soil is good. '.repeat(30)}\n${remark}\n${'Go on. '.repeat(30)}` : 'Good, go on.'
    await context.add({ role: 'assistant', content: text }, { usage: { input: tokens, output: 10 } })
    await context.settled()
    // Messages are taken up beside the conversation, in the moment that every call to a model leaves.
    await new Promise((resolve) => void setTimeout(resolve, 0))
  }
}

const textsOf = ({ messages }: ContextRequest): readonly string[] =>
  messages.map(({ content }) => JSON.stringify(content))

describe('recall that comes by itself', () => {
  it('brings back what the user asks about, at the end of one request, and is gone in the next', async () => {
    const context = await talkLong({ recall: { maxRatio: 0.02 } })
    await context.add({ role: 'user', content: 'Is it wet?' })
    const plain = await context.nextRequest()
    expect(textsOf(plain).join()).not.toContain('cellar')
    expect(plain.stableMessages).toBe(plain.messages.length)
    await context.add({ role: 'assistant', content: 'Yes.' }, { usage: { input: plain.tokens, output: 3 } })

    await context.add({ role: 'user', content: QUESTION })
    const before = context.measure().tokens ?? 0
    const asked = await context.nextRequest()
    expect(textsOf(asked).at(-1)).toContain(FACT)
    expect(asked.manifest.items.at(-1)).toMatchObject({ kind: 'recalled', state: 'verbatim' })
    expect(asked.stableMessages).toBe(asked.messages.length - 1)
    expect(textsOf(asked).slice(0, plain.messages.length - 1)).toEqual(textsOf(plain).slice(0, -1))
    expect(asked.tokens - before).toBeLessThanOrEqual(16_000 * 0.02)
    await context.add({ role: 'assistant', content: 'Look.' }, { usage: { input: asked.tokens, output: 3 } })
    expect(Math.abs((context.measure().tokens ?? 0) - before - 3)).toBeLessThanOrEqual(10)

    await context.add({ role: 'user', content: 'Thanks, and now the beans.' })
    const next = await context.nextRequest()
    expect(textsOf(next).join()).not.toContain('cellar')
    expect(context.entries().every((entry) => !JSON.stringify(entry).includes('Found in earlier'))).toBe(true)
  })

  it('stays away where the policy says so', async () => {
    const context = await talkLong({ recall: { maxRatio: null } })
    await context.add({ role: 'user', content: QUESTION })
    expect(textsOf(await context.nextRequest()).join()).not.toContain('cellar')
  })

  it('a long log that was just opened brings back nothing from before a reset, however fast the requests come', async () => {
    const talked = await talkLong({ recall: { maxRatio: 0.02 } }, 400)
    await talked.reset()
    await talk(talked, 120, 'The plumber is not here.')
    const entries = talked.entries()
    expect(entries.findLast(({ type }) => type === 'compaction')?.seq).toBeGreaterThan(
      entries.findLast(({ type }) => type === 'reset')?.seq ?? Infinity,
    )
    const opened = createContext({ windowTokens: 16_000, entries, policy: { recall: { maxRatio: 0.02 } } })
    await opened.add({ role: 'user', content: QUESTION })
    for (let request = 0; request < 20; request += 1)
      expect(textsOf(await opened.nextRequest()).join()).not.toContain('cellar')
  })
})
