import { spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createSqliteStore } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { inFolder } from '../../packages/store/src/sqlite/testing/in-folder.ts'
import { createAcknowledged } from '../store-load/acknowledged.ts'
import { startProgram } from '../store-load/start-program.ts'
import type { SmallDiskArgument } from './small-disk.ts'

/** A mount namespace of its own, for whoever may make one: then a disk of any size can be had. */
const UNSHARE = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])]

describe('a full disk', () => {
  it('ONE-03 refuses in a word, loses nothing that was acknowledged, and is written to again once there is room', async () => {
    await inFolder(async ({ folder }) => {
      const argument: SmallDiskArgument = { folder: join(folder, 'disk'), copy: join(folder, 'copy') }
      await mkdir(argument.folder)
      const [command = '', ...args] = [...UNSHARE, 'mount', '-t', 'tmpfs', 'tmpfs', argument.folder]
      const canMount = spawnSync(command, args).status === 0
      if (!canMount) {
        console.log('A full disk: this machine lets nobody mount one, so that only a limit of SQLite stands for it.')
        return
      }
      const acknowledged = createAcknowledged()
      const program = startProgram({
        file: join(import.meta.dirname, 'small-disk.ts'),
        argument,
        onReport: acknowledged.record,
        under: UNSHARE,
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
