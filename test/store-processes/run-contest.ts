import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../../packages/store/src/testing/random/random.ts'
import type { Report } from '../store-load/report.ts'
import { startProgram } from '../store-load/start-program.ts'
import type { Program } from '../store-load/start-program.ts'
import type { ContenderArgument, Place } from './contender.ts'

export interface ContestOptions {
  readonly place: Place
  readonly processes: number
  readonly sessionIds: readonly string[]
  readonly seed: number
  readonly seconds: number
  /** Lets some of the leases run out that are held at the moment, as if their owners were slow. */
  readonly expireLeases: () => Promise<void>
  readonly onReport: (report: Report) => void
}

/** A process that was killed. Between the two times it died. */
export interface Killed {
  readonly ownerId: string
  readonly killedAt: number
  readonly goneAt: number
}

interface Contender {
  readonly program: Program
  getOwnerId(): string
}

const MAX_PAUSE_MS = 120
/** Of the pauses. A killed process is replaced at once, so that there are always as many. */
const KILLING_SHARE = 0.2

/** Lets processes fight for the same sessions: time runs out for some, others are killed while they own. */
export async function runContest(options: ContestOptions): Promise<readonly Killed[]> {
  const { processes, seed, seconds, expireLeases } = options
  const random = createRandom(seed)
  const contenders = await Promise.all(Array.from({ length: processes }, (_, number) => start(options, seed + number)))
  const killed: Killed[] = []
  const endAt = performance.now() + seconds * 1_000
  while (performance.now() < endAt) {
    await wait(random.integer(MAX_PAUSE_MS))
    await expireLeases()
    if (!random.chance(KILLING_SHARE)) continue
    const place = random.integer(processes)
    const victim = contenders[place]
    if (victim === undefined) continue
    const killedAt = Date.now()
    await victim.program.kill()
    killed.push({ ownerId: victim.getOwnerId(), killedAt, goneAt: Date.now() })
    contenders[place] = await start(options, seed + processes + killed.length)
  }
  await Promise.all(contenders.map(({ program }) => program.stop()))
  return killed
}

async function start({ place, sessionIds, onReport }: ContestOptions, seed: number): Promise<Contender> {
  const argument: ContenderArgument = { place, seed, sessionIds }
  let ownerId = ''
  const program = startProgram({
    file: join(import.meta.dirname, 'contender.ts'),
    argument,
    onReport(report) {
      if (report.type === 'ready') ({ ownerId } = report)
      onReport(report)
    },
  })
  await program.hear(1)
  return { program, getOwnerId: () => ownerId }
}
