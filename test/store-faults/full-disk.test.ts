import { spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createSqliteStore } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { inFolder } from '../../packages/store/src/sqlite/testing/in-folder.ts'
import { createAcknowledged } from '../store-load/acknowledged.ts'
import { startProgram } from '../store-load/start-program.ts'
import type { SmallDiskArgument } from './small-disk.ts'

/** A disk of this size, seen by one process alone: for whoever may have a mount namespace of its own. */
const MOUNT = 'mount -t tmpfs -o size=4000000 tmpfs "$0" && exec "$@"'
const UNSHARE = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])]

describe('a full disk', () => {
  it('ONE-03 refuses in a word, loses nothing that was acknowledged, and is written to again once there is room', async () => {
    await inFolder(async ({ folder }) => {
      const argument: SmallDiskArgument = { folder: join(folder, 'disk'), copy: join(folder, 'copy') }
      await mkdir(argument.folder)
      const under = [...UNSHARE, 'sh', '-c', MOUNT, argument.folder] as const
      if (!canRun([...under, 'true'])) {
        console.log('A full disk: nobody may mount one here; only a limit of SQLite stood for it, in other tests.')
        return
      }
      const acknowledged = createAcknowledged()
      const program = startProgram({
        file: join(import.meta.dirname, 'small-disk.ts'),
        argument,
        onReport: (report) => acknowledged.record(report),
        under,
      })
      await program.stop()
      const store = await createSqliteStore({ file: join(argument.copy, 'longhaul.db') })
      await acknowledged.check(store, ['one'])
      expect(await store.check()).toEqual([])
      await store.close()
      expect(acknowledged.countArtifacts()).toBeGreaterThan(2)
    })
  })
})

function canRun([command = '', ...args]: readonly string[]): boolean {
  return spawnSync(command, args).status === 0
}
