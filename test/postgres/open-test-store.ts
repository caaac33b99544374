import type { Store } from '@longhaul/store'
import { createPostgresStore } from '@longhaul/store/postgres'
import type { PostgresStoreOptions } from '@longhaul/store/postgres'
import { onTestFinished } from 'vitest'
import type { TestDatabase } from './describe-with-postgres.ts'

export interface OpenedTestStore {
  readonly store: Store
  readonly schema: string
  /** One more on the same tables, with connections of its own, as another server would open it. */
  readonly openAgain: (options?: PostgresStoreOptions) => Promise<Store>
}

/** A store in a schema of its own. All that is opened is closed, and the schema dropped, when the test ends. */
export async function openTestStore(database: TestDatabase): Promise<OpenedTestStore> {
  const schema = database.createSchemaName()
  onTestFinished(() => database.dropSchema(schema))
  const openAgain = async (options: PostgresStoreOptions = {}): Promise<Store> => {
    const store = await createPostgresStore({ url: database.url, schema, poolSize: 4, ...options })
    onTestFinished(() => store.close())
    return store
  }
  return { store: await openAgain(), schema, openAgain }
}
