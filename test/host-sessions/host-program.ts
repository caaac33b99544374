// A program that keeps a conversation itself, in a process of its own: node host-program.ts '{"store":"…","sessionId":"garden"}'
import { createInterface } from 'node:readline'
import { hostCodec } from '@longhaul/engine/testing'
import type { HostMessage } from '@longhaul/engine/testing'
import { openHostSession } from '@longhaul/store/host'

export interface HostProgramOptions {
  /** An SQLite file or a PostgreSQL address. */
  readonly store: string
  /** The schema of a PostgreSQL database. */
  readonly schema?: string
  readonly sessionId: string
  /** Its system prompt, which it does not store. */
  readonly system?: string
}

export type HostOrder =
  /** Holds so many turns, each with a bill. */
  | { readonly do: 'talk'; readonly turns: number }
  /** Says one thing, and sends its list. */
  | { readonly do: 'say'; readonly text: string }
  /** Takes the newest messages back, says something else, and sends its list. */
  | { readonly do: 'branch'; readonly back: number; readonly text: string }
  /** Compacts now. */
  | { readonly do: 'compact' }

export interface HostReport {
  /** The length of the list that went to the model. */
  readonly sent: number
  readonly warnings: readonly string[]
}

const { store, schema, sessionId, system } = JSON.parse(process.argv[2] ?? '{}') as HostProgramOptions
const filler = 'The soil is dry and wants some water. '.repeat(80)
const warnings: string[] = []
const session = openHostSession<HostMessage>({
  origin: 'pi',
  sessionId,
  codec: hostCodec,
  store: schema === undefined ? store : await openSchema(store, schema),
  windowTokens: 32_000,
  model: 'fake/model',
  ask: async () => '<summary>\n+ Goal: plant every bed of the garden before the frost comes\n</summary>',
  warn: (text) => warnings.push(text),
})
let list: HostMessage[] = []
let turns = 0

for await (const line of createInterface({ input: process.stdin })) {
  const sent = await carryOut(JSON.parse(line) as HostOrder)
  const report: HostReport = { sent, warnings }
  process.stdout.write(`${JSON.stringify(report)}\n`)
}
await session.close()
process.exit(0)

async function carryOut(order: HostOrder): Promise<number> {
  if (order.do === 'compact') {
    await session.control((controls) => controls.compact())
    return 0
  }
  if (order.do === 'talk') {
    let sent = 0
    for (let turn = 0; turn < order.turns; turn += 1) {
      sent = await hold(`Bed ${(turns += 1)}: ${filler}`)
      await session.control((controls) => controls.settled())
    }
    return sent
  }
  if (order.do === 'branch') list = list.slice(0, list.length - order.back)
  return hold(order.text)
}

async function hold(body: string): Promise<number> {
  list.push({ from: 'me', body })
  const sent = await session.sync(list, system === undefined ? {} : { system })
  session.bill({ input: Math.round((JSON.stringify(sent).length + (system ?? '').length) / 4), output: 10 })
  list.push({ from: 'bot', body: `Noted: ${body.slice(0, 40)}`, signature: 'a signature' })
  return sent.length
}

async function openSchema(url: string, name: string) {
  const { createPostgresStore } = await import('@longhaul/store/postgres')
  return createPostgresStore({ url, schema: name, poolSize: 4 })
}
