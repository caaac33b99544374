import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInMemoryStore, createSqliteStore } from '@longhaul/store'
import type { Store } from '@longhaul/store'
import { describe, onTestFinished } from 'vitest'
import { describeWithPostgres } from './postgres/describe-with-postgres.ts'
import { openTestStore } from './postgres/open-test-store.ts'

export interface SharedStore {
  readonly store: Store
  /** One more on the same data, as another process would open it. */
  readonly openAgain: () => Promise<Store>
}

/**
 * Declares tests of something that is written over the port, once for each kind of store. What is opened is closed and
 * removed when the test ends.
 */
export function describeStores(title: string, suite: (open: () => Promise<Store>) => void): void {
  describe(`${title}: memory`, () => {
    suite(async () => createInMemoryStore())
  })
  describeSharedStores(title, (open) => suite(async () => (await open()).store))
}

/** Only those that several processes can use at once. */
export function describeSharedStores(title: string, suite: (open: () => Promise<SharedStore>) => void): void {
  describe(`${title}: SQLite`, () => {
    suite(openSqliteStore)
  })
  describeWithPostgres(`${title}: PostgreSQL`, (database) => suite(() => openTestStore(database)))
}

export async function openSqliteStore(): Promise<SharedStore & { readonly file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-store-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'longhaul.db')
  const openAgain = async (): Promise<Store> => {
    const store = await createSqliteStore({ file })
    onTestFinished(() => store.close())
    return store
  }
  return { store: await openAgain(), openAgain, file }
}
