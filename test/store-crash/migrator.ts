// node migrator.ts '{ "folder", "old", "seed" }': upgrades copies of an old database, and makes new ones, for ever. It ends
// when its input does, or when it is killed.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSqliteStore } from '../../packages/store/src/sqlite/create-sqlite-store.ts'
import { createRandom } from '../../packages/store/src/testing/random/random.ts'
import { tell } from '../store-load/report.ts'
import { createStopSignal } from '../store-load/stop-signal.ts'

export interface MigratorArgument {
  readonly folder: string
  /** A database of an earlier version. */
  readonly old: string
  readonly seed: number
}

const { folder, old, seed } = JSON.parse(process.argv[2] ?? '') as MigratorArgument
const random = createRandom(seed)
const stop = createStopSignal()
tell({ type: 'ready', ownerId: '' })
for (let number = 1; !stop.aborted; number += 1) {
  const isUpgrade = random.chance(0.7)
  const file = join(folder, `${isUpgrade ? 'upgraded' : 'new'}-${seed}-${number}.db`)
  if (isUpgrade) copyFileSync(old, file)
  tell({ type: 'opening', file })
  const store = await createSqliteStore({ file })
  tell({ type: 'opened', file })
  await store.close()
}
