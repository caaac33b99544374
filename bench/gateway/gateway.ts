import type { Bench } from '../bench.ts'
import { inFolder } from '../in-folder.ts'
import type { Goal } from '../report/goal.ts'
import { measureFirstByte } from './measure-first-byte.ts'
import type { FirstByteTimes } from './measure-first-byte.ts'
import { measureMemory } from './measure-memory.ts'
import type { MemoryUse } from './measure-memory.ts'
import { measureStreams } from './measure-streams.ts'
import { startProcess } from './start-process.ts'

const SIZES = [
  { bytes: 100_000, name: '100 kB', calls: 40, maxAddedMs: 2 },
  { bytes: 4_000_000, name: '4 MB', calls: 20, maxAddedMs: 10 },
] as const
const ROUNDS = 3
const STREAMS = 200
const CONVERSATIONS = 48
const QUICK_CONVERSATIONS = 8
const MAX_GROWTH = 1.25
const MEGABYTE = 1_000_000

/** Upstream, proxy and gateway run in a process each; the client is this one. */
export const gatewayBench: Bench = {
  name: 'gateway',
  about: 'time that the gateway adds to the first byte, beside a plain proxy; 200 streams at once; memory',
  async run({ isQuick, note }) {
    return inFolder(async (folder) => {
      const upstream = await startProcess('upstream')
      const proxy = await startProcess('proxy', upstream.url)
      const gateway = await startProcess('gateway', upstream.url, folder)
      const urls = { direct: upstream.url, proxy: proxy.url, gateway: gateway.url }
      try {
        const times: FirstByteTimes[] = []
        for (const { bytes, name, calls } of SIZES) {
          note(`first byte at ${name}`)
          times.push(await measureFirstByte({ urls, bytes, calls, rounds: isQuick ? 1 : ROUNDS }))
        }
        note(`${STREAMS} streams at once`)
        const problems = await measureStreams(gateway.url, STREAMS)
        const conversations = isQuick ? QUICK_CONVERSATIONS : CONVERSATIONS
        note(`memory of ${conversations} conversations of 4 MB`)
        const memory = await measureMemory(gateway, conversations)
        return {
          tables: [createTable(times)],
          goals: [...times.map(checkTime), checkStreams(problems), checkMemory(memory)],
          numbers: { times, problems, memory },
        }
      } finally {
        for (const each of [gateway, proxy, upstream]) await each.stop()
      }
    })
  },
}

function createTable(times: readonly FirstByteTimes[]) {
  return {
    title: `Milliseconds to the first byte of an answer, on SQLite: medians of the quietest of ${ROUNDS} rounds`,
    columns: ['body', 'direct', 'proxy', 'gateway', 'added by the proxy', 'added by the gateway', 'first call'],
    rows: times.map(({ bytes, directMs, proxyMs, gatewayMs, addedByProxyMs, addedByGatewayMs, firstMs }) => [
      nameOf(bytes),
      ...[directMs, proxyMs, gatewayMs, addedByProxyMs, addedByGatewayMs].map((ms) => ms.toFixed(2)),
      firstMs.toFixed(0),
    ]),
  }
}

function nameOf(bytes: number): string {
  return SIZES.find((size) => size.bytes === bytes)?.name ?? `${bytes} bytes`
}

function checkTime({ bytes, addedByProxyMs, addedByGatewayMs }: FirstByteTimes): Goal {
  const { maxAddedMs = Number.NaN } = SIZES.find((size) => size.bytes === bytes) ?? {}
  return {
    name: `${nameOf(bytes)}: at most ${maxAddedMs} ms added to the first byte`,
    isHeld: addedByGatewayMs <= maxAddedMs,
    measured: `${addedByGatewayMs.toFixed(2)} ms (a plain proxy ${addedByProxyMs.toFixed(2)} ms)`,
  }
}

function checkStreams(problems: readonly string[]): Goal {
  return {
    name: `${STREAMS} streams at once without an error`,
    isHeld: problems.length === 0,
    measured: problems.length === 0 ? 'each byte came' : `${problems.length} errors, such as ${problems[0]}`,
  }
}

function checkMemory({ conversations, firstBytes, secondBytes }: MemoryUse): Goal {
  const growth = secondBytes / firstBytes
  const [first, second] = [firstBytes, secondBytes].map((bytes) => `${(bytes / MEGABYTE).toFixed(0)} MB`)
  return {
    name: `${conversations} conversations of 4 MB: at most ${MAX_GROWTH} times the memory for the second half`,
    // The first few only fill the room that there is.
    isHeld: conversations < CONVERSATIONS ? null : growth <= MAX_GROWTH,
    measured: `${first}, then ${second} (${growth.toFixed(2)} times)`,
  }
}
