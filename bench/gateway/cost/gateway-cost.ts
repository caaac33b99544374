import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGateway } from '@longhaul/gateway'
import type { Table } from '@longhaul/replay'
import { createInMemoryStore } from '@longhaul/store'
import type { Bench } from '../../bench.ts'
import type { Goal } from '../../report/goal.ts'
import { runClient } from './run-client.ts'
import { startPricedUpstream } from './start-priced-upstream.ts'
import type { Bill } from './start-priced-upstream.ts'

const WINDOW_TOKENS = 200_000
/** Claude Code compacts where its window less output and a margin is full. */
const OWN_COMPACTION_TOKENS = WINDOW_TOKENS - 20_000 - 13_000

const ENDS_EARLY = 'results of 4,200 characters'

interface CostCase {
  readonly name: string
  readonly model: string
  readonly medianResultChars: number
}

/**
 * The first ends right after the gateway has compacted it, before that has paid: nobody can know that it ends there. The
 * second fits its window as a whole. The others do not: their model takes more, and everybody keeps to 200,000.
 */
const CASES: readonly CostCase[] = [
  { name: ENDS_EARLY, model: 'claude-opus-4-5', medianResultChars: 4_200 },
  { name: 'results of 5,200 characters', model: 'claude-opus-4-5', medianResultChars: 5_200 },
  { name: 'results of 7,000 characters', model: 'claude-opus-4-8', medianResultChars: 7_000 },
  { name: 'results of 10,000 characters', model: 'claude-opus-4-8', medianResultChars: 10_000 },
]

interface CostRow extends Bill {
  readonly name: string
  readonly model: string
  readonly way: Way
  /** Summaries that the client made by itself. */
  readonly compactions: number
}

const WAYS = ['no edits', 'own compaction', 'through the gateway'] as const

type Way = (typeof WAYS)[number]

/** What the same session costs without edits, with a client's own compaction, and through the gateway. */
export const gatewayCostBench: Bench = {
  name: 'gateway-cost',
  about: 'what a session of 100 calls of tools costs: sent whole, compacted by the client, through the gateway',
  async run({ isQuick, note }) {
    const rows = await measureCosts(isQuick ? CASES.slice(1, 2) : CASES, note)
    return { tables: [createCostTable(rows)], goals: findGoals(rows), numbers: rows }
  },
}

export async function measureCosts(cases: readonly CostCase[] = CASES, note: (line: string) => void = () => undefined) {
  const rows: CostRow[] = []
  for (const each of cases)
    for (const way of WAYS) {
      note(`${each.name}: ${way}`)
      rows.push(await measureCost(each, way))
    }
  return rows
}

async function measureCost({ name, model, medianResultChars }: CostCase, way: Way): Promise<CostRow> {
  const upstream = await startPricedUpstream(model)
  const gateway = createGateway({
    store: createInMemoryStore(),
    secret: 'bench',
    upstreams: { anthropic: { type: 'anthropic', baseURL: upstream.url } },
    windowOf: () => WINDOW_TOKENS,
  })
  const server = createServer(
    (incoming, outgoing) => void gateway.handle(incoming, outgoing, { path: incoming.url ?? '' }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = way === 'through the gateway' ? `http://127.0.0.1:${port}/gateway/anthropic` : upstream.url
  try {
    const compactAtTokens = way === 'own compaction' ? OWN_COMPACTION_TOKENS : null
    const compactions = await runClient({ upstream, url, model, medianResultChars, compactAtTokens })
    await gateway.close()
    return { name, model, way, compactions, ...upstream.bill() }
  } finally {
    server.closeAllConnections()
    server.close()
    await upstream.close()
  }
}

const count = (tokens: number): string => Math.round(tokens / 1_000).toLocaleString('en-US')

export function createCostTable(rows: readonly CostRow[]): Table {
  return {
    title: `100 calls of tools in a window of ${WINDOW_TOKENS.toLocaleString('en-US')} tokens, at list prices with the provider's cache; thousands of tokens`,
    columns: [
      'session',
      'model',
      'way',
      'cost',
      'input',
      'read from cache',
      'written to it',
      'output',
      'largest request',
      'summaries',
    ],
    rows: rows.map(({ name, model, way, costUsd, input, cacheRead, cacheWrite, output, most, summaries }) => [
      name,
      model,
      way,
      `$${costUsd.toFixed(2)}`,
      ...[input, cacheRead, cacheWrite, output, most].map(count),
      String(summaries),
    ]),
  }
}

function findGoals(rows: readonly CostRow[]): readonly Goal[] {
  const costOf = (name: string, way: Way): number =>
    rows.find((row) => row.name === name && row.way === way)?.costUsd ?? Number.NaN
  const names = [...new Set(rows.map(({ name }) => name))].filter((name) => name !== ENDS_EARLY)
  return names.map((name) => {
    const [whole, own, ours] = [
      costOf(name, 'no edits'),
      costOf(name, 'own compaction'),
      costOf(name, 'through the gateway'),
    ]
    return {
      name: `${name}: through the gateway a session costs less than sent whole and than compacted by the client`,
      isHeld: ours < whole && ours < own,
      measured: `$${ours.toFixed(2)}, $${whole.toFixed(2)} and $${own.toFixed(2)}`,
    }
  })
}
