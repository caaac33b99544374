import { join } from 'node:path'
import { PRESETS } from '@longhaul/engine'
import type { SealedRequest } from '@longhaul/engine/advanced'
import { median } from '../report/percentile.ts'
import { KEPT_MESSAGES, MODEL, SYSTEM, openBenchAgent } from './bench-agent.ts'
import type { BenchAgent } from './bench-agent.ts'

export interface Latency {
  readonly messages: number
  readonly directMs: number
  /** By a session that its owner has open. */
  readonly warmMs: number
  /** By a session that is opened for it. */
  readonly coldMs: number
}

export async function measureLatency(folder: string, messages: number, runs: number): Promise<Latency> {
  const bench = await openBenchAgent(join(folder, `${messages}.db`), () => PRESETS.longhaul)
  await bench.create('bench', messages)
  const [direct, warm, cold]: [number[], number[], number[]] = [[], [], []]
  await bench.say('bench', 'done')
  for (let run = 0; run < runs; run += 1) {
    direct.push(await callDirectly(bench))
    warm.push(await bench.say('bench', 'done'))
    if (run % 4 !== 0) continue
    await bench.restart()
    cold.push(await bench.say('bench', 'done'))
  }
  await bench.close()
  return { messages, directMs: median(direct), warmMs: median(warm), coldMs: median(cold) }
}

/** The same request by hand: the time that the provider's library takes by itself. */
async function callDirectly(bench: BenchAgent): Promise<number> {
  const parts = [{ type: 'text', text: 'The soil is dry. '.repeat(20) }] as const
  const turns: SealedRequest['messages'] = Array.from({ length: KEPT_MESSAGES + 1 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    parts,
  }))
  const request = { system: SYSTEM, messages: turns, tools: [] }
  const begin = performance.now()
  for await (const _ of bench.models.stream(MODEL, { request, maxOutputTokens: 8_192 }, new AbortController().signal));
  return bench.calledAt() - begin
}
