import type { Bench } from '../bench.ts'
import { inFolder } from '../in-folder.ts'
import { median } from '../report/percentile.ts'
import { aiSdkCases } from './ai-sdk-case.ts'
import { langchainCases, openaiAgentsCases } from './sdk-cases.ts'
import type { HostCase, OpenHostCase } from './host-case.ts'
import { mastraCases } from './mastra-case.ts'

/** Each host in the ways in which programs call it. */
const CASES: readonly HostCase[] = [...aiSdkCases, ...langchainCases, ...openaiAgentsCases, ...mastraCases]

const MESSAGES = 1_000
const MESSAGE_CHARS = 400
/** Other programs disturb a round; the quietest one counts. */
const ROUNDS = 3
const CALLS = 60
const QUICK_CALLS = 15
const WARM_UPS = 30
const MAX_ADDED_MS = 2

interface HostTimes {
  readonly host: string
  readonly way: string
  readonly plainMs: number
  /** With a hook that does nothing: hosts copy or compare their messages where they have one. */
  readonly hookMs: number
  readonly longhaulMs: number
  /** The median of the differences between a call with an empty hook and the call with Longhaul that follows it. */
  readonly addedMs: number
  /** The same in processor time, the work of other threads included. */
  readonly addedCpuMs: number
  /** The first call reads and stores the whole conversation. */
  readonly firstMs: number
}

/** The time that Longhaul adds to a call of an SDK, beside the same call with a hook in its place that does nothing. */
export const hostsBench: Bench = {
  name: 'hosts',
  about: `time added to a call of an SDK at ${MESSAGES} messages, none of which is compacted`,
  async run({ isQuick, note }) {
    const times: HostTimes[] = []
    for (const each of CASES) {
      note(`${each.host}: ${each.way}`)
      times.push(await inFolder((folder) => measureCase(each, folder, isQuick ? QUICK_CALLS : CALLS)))
    }
    return {
      tables: [
        {
          title: `Milliseconds of one call at ${MESSAGES} messages of ${MESSAGE_CHARS} characters, against a model that answers at once: median of the quietest of ${ROUNDS} rounds`,
          columns: ['host', 'way', 'without', 'empty hook', 'with Longhaul', 'added', 'added CPU', 'first call'],
          rows: times.map(({ host, way, plainMs, hookMs, longhaulMs, addedMs, addedCpuMs, firstMs }) => [
            host,
            way,
            ...[plainMs, hookMs, longhaulMs, addedMs, addedCpuMs].map((ms) => ms.toFixed(2)),
            firstMs.toFixed(0),
          ]),
        },
      ],
      goals: times.map(({ host, way, addedMs }) => ({
        name: `${host}, ${way}: at most ${MAX_ADDED_MS} ms added per call at ${MESSAGES} messages`,
        isHeld: addedMs <= MAX_ADDED_MS,
        measured: `${addedMs.toFixed(2)} ms`,
      })),
      numbers: times,
    }
  },
}

/** Calls with and without take turns, so that what else the machine does falls on both. */
async function measureCase({ host, way, open }: HostCase, folder: string, calls: number): Promise<HostTimes> {
  const { close, ...runs } = await open({ folder, texts: Array.from({ length: MESSAGES }, createText) })
  const { ms: firstMs } = await measure(() => runs.withLonghaul(createText('', MESSAGES)))
  await measureRound(runs, WARM_UPS)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureRound(runs, calls))
  await close()
  const [quietest] = rounds.toSorted((one, other) => one.addedMs - other.addedMs)
  return { host, way, ...(quietest as Round), firstMs }
}

type Round = Omit<HostTimes, 'host' | 'way' | 'firstMs'>

async function measureRound(
  { plain, withEmptyHook, withLonghaul }: Omit<OpenHostCase, 'close'>,
  calls: number,
): Promise<Round> {
  const samples: { readonly plain: Measured; readonly hook: Measured; readonly longhaul: Measured }[] = []
  for (let call = 0; call < calls; call += 1) {
    const text = createText('', MESSAGES + call)
    samples.push({
      plain: await measure(() => plain(text)),
      hook: await measure(() => withEmptyHook(text)),
      longhaul: await measure(() => withLonghaul(text)),
    })
  }
  return {
    plainMs: median(samples.map(({ plain: { ms } }) => ms)),
    hookMs: median(samples.map(({ hook: { ms } }) => ms)),
    longhaulMs: median(samples.map(({ longhaul: { ms } }) => ms)),
    addedMs: median(samples.map(({ hook, longhaul }) => longhaul.ms - hook.ms)),
    addedCpuMs: median(samples.map(({ hook, longhaul }) => longhaul.cpuMs - hook.cpuMs)),
  }
}

interface Measured {
  readonly ms: number
  readonly cpuMs: number
}

async function measure(work: () => Promise<void>): Promise<Measured> {
  const cpuBefore = process.cpuUsage()
  const begin = performance.now()
  await work()
  const ms = performance.now() - begin
  const { user, system } = process.cpuUsage(cpuBefore)
  return { ms, cpuMs: (user + system) / 1_000 }
}

function createText(_: unknown, index: number): string {
  return `Bed ${index}: ${'the soil is dry and wants some water. '.repeat(MESSAGE_CHARS)}`.slice(0, MESSAGE_CHARS)
}
