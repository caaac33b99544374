import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createSqliteStore } from '@longhaul/store'
import { dumpText } from '../../packages/store/src/testing/expectations.ts'
import type { Random } from '../../packages/store/src/testing/random/random.ts'
import { startProgram } from '../store-load/start-program.ts'
import { checkIntegrity } from './crash-lane.ts'
import type { MigratorArgument } from './migrator.ts'

/** Databases that are upgraded or made anew, one after another, until the process is killed. */
export interface MigrationLane {
  /** Kills it at some moment, then opens all that it was at, and compares it with what an upgrade in peace makes of it. */
  crash(): Promise<void>
  /** How many files were still being opened when the kill came. */
  countUnfinished(): number
}

export interface MigrationLaneOptions {
  /** For this lane alone. */
  readonly folder: string
  readonly old: string
  readonly random: Random
}

/** Upgrades take a few milliseconds each: within these, one is always under way. */
const MAX_LIFE_MS = 80

export async function createMigrationLane({ folder, old, random }: MigrationLaneOptions): Promise<MigrationLane> {
  const artifactsFolder = `${old}.artifacts`
  const upgraded = await upgradeInPeace()
  let unfinished = 0

  async function upgradeInPeace(): Promise<readonly string[]> {
    const file = join(folder, 'in-peace.db')
    await copyFile(old, file)
    return readAll(file, artifactsFolder)
  }

  return {
    async crash() {
      const opening: string[] = []
      const opened: string[] = []
      const argument: MigratorArgument = { folder, old, seed: random.integer(2 ** 31) }
      const migrator = startProgram({
        file: join(import.meta.dirname, 'migrator.ts'),
        argument,
        onReport(report) {
          if (report.type === 'opening') opening.push(report.file)
          else if (report.type === 'opened') opened.push(report.file)
        },
      })
      await migrator.hear(1)
      await wait(random.integer(MAX_LIFE_MS))
      await migrator.kill()
      unfinished += opening.length - opened.length
      for (const file of opening) {
        checkIntegrity(file)
        const isNew = basename(file).startsWith('new')
        assert.deepEqual(await readAll(file, isNew ? `${file}.artifacts` : artifactsFolder), isNew ? [] : upgraded)
      }
    },
    countUnfinished: () => unfinished,
  }
}

async function readAll(file: string, artifactsFolder: string): Promise<readonly string[]> {
  const store = await createSqliteStore({ file, artifactsFolder })
  try {
    return await dumpText(store)
  } finally {
    await store.close()
  }
}
