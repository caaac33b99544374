import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conformanceCases, sharedConformanceCases } from '../testing/conformance.ts'
import type { SharedStoreHarness } from '../testing/store-harness.ts'
import { createSqliteStore } from './create-sqlite-store.ts'

const harness: SharedStoreHarness = {
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-sqlite-'))
    let now = Date.now()
    const options = { file: join(folder, 'longhaul.db'), clock: () => now }
    return {
      store: await createSqliteStore(options),
      openAgain: () => createSqliteStore(options),
      async passTime(ms) {
        now += ms
      },
      remove: () => rm(folder, { recursive: true }),
    }
  },
}

describe('SQLite store', () => {
  it.each([...conformanceCases, ...sharedConformanceCases])('$title', async ({ run }) => {
    await expect(run(harness)).resolves.toBeUndefined()
  })
})
