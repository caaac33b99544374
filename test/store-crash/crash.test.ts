import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../packages/store/src/testing/random/random.ts'
import { createCrashLane } from './crash-lane.ts'
import type { CrashLane } from './crash-lane.ts'
import { createMigrationLane } from './migration-lane.ts'

/** Together at least 200. */
const WRITER_KILLS = 170
const MIGRATOR_KILLS = 40
/** Lanes side by side: one for each processor of a small machine. */
const LANES = [1, 2]
const VERSIONS = join(import.meta.dirname, '../../fixtures/store')

const seed = Date.now() % 1_000_000
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-crash-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

describe('a process killed at random moments', { timeout: 300_000 }, () => {
  it('ONE-03 loses nothing acknowledged where it appends, compacts and takes messages', async () => {
    const lanes = await Promise.all(
      LANES.map((number) => createCrashLane(join(folder, `lane-${number}.db`), createRandom(seed + number))),
    )
    // Whoever ends in good order leaves the compiled sources behind for the others.
    await lanes[0]?.finish()
    const seconds = await killInTurns(lanes, WRITER_KILLS)
    for (const lane of lanes) await lane.finish()
    const sum = (count: (lane: CrashLane) => number) => lanes.reduce((total, lane) => total + count(lane), 0)
    const entries = sum(({ acknowledged }) => acknowledged.countEntries())
    const items = sum(({ acknowledged }) => acknowledged.countItems())
    const artifacts = sum(({ acknowledged }) => acknowledged.countArtifacts())
    const abandoned = sum((lane) => lane.countAbandoned())
    console.log(
      `SQLite, killed ${WRITER_KILLS} times in ${seconds} s: ${entries} entries, ${items} messages and ${artifacts} ` +
        `artifacts acknowledged, 0 lost; ${abandoned} compactions cut short were handed to the next owner.`,
    )
    expect(entries).toBeGreaterThan(WRITER_KILLS)
    expect(abandoned).toBeGreaterThan(0)
  })

  it('ONE-04 leaves databases that open and hold everything where it upgrades them', async () => {
    const lanes = await Promise.all(
      LANES.map(async (number) => {
        const own = join(folder, `upgrades-${number}`)
        await cp(VERSIONS, own, { recursive: true })
        return createMigrationLane({
          folder: own,
          old: join(own, `sqlite-v${number}.db`),
          random: createRandom(seed + number),
        })
      }),
    )
    const seconds = await killInTurns(lanes, MIGRATOR_KILLS)
    const unfinished = lanes.reduce((total, lane) => total + lane.countUnfinished(), 0)
    console.log(
      `SQLite, killed ${MIGRATOR_KILLS} times in ${seconds} s while it upgraded or created databases: ${unfinished} left ` +
        `in the middle of it, all of them whole.`,
    )
    expect(unfinished).toBeGreaterThan(0)
  })
})

async function killInTurns(lanes: readonly { crash(): Promise<void> }[], kills: number): Promise<string> {
  const begin = performance.now()
  let left = kills
  await Promise.all(
    lanes.map(async (lane) => {
      while (left > 0) {
        left -= 1
        await lane.crash()
      }
    }),
  )
  return ((performance.now() - begin) / 1_000).toFixed(0)
}
