import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../port/store.ts'
import { createSqliteStore } from '../create-sqlite-store.ts'
import type { SqliteStoreOptions } from '../create-sqlite-store.ts'

export interface TestFolder {
  readonly folder: string
  /** Where the stores of this folder keep their data. */
  readonly file: string
  /** A store on that file; closed at the end, if not before. */
  readonly open: (options?: Partial<SqliteStoreOptions>) => Promise<Store>
}

/** Runs a test in a folder of its own, which is gone afterwards. */
export async function inFolder(test: (folder: TestFolder) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-sqlite-'))
  const file = join(folder, 'longhaul.db')
  const stores: Store[] = []
  try {
    await test({
      folder,
      file,
      async open(options = {}) {
        const store = await createSqliteStore({ file, ...options })
        stores.push(store)
        return store
      },
    })
  } finally {
    for (const store of stores) await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}
