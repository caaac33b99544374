import { describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../test/postgres/describe-with-postgres.ts'
import type { TestDatabase } from '../../../../test/postgres/describe-with-postgres.ts'
import type { Store } from '../port/store.ts'
import { conformanceCases, sharedConformanceCases } from '../testing/conformance.ts'
import type { SharedStoreHarness } from '../testing/store-harness.ts'
import { createPostgresStore } from './create-postgres-store.ts'

function createHarness(database: TestDatabase): SharedStoreHarness {
  return {
    async open() {
      const schema = database.createSchemaName()
      const open = (): Promise<Store> => createPostgresStore({ url: database.url, schema, poolSize: 4 })
      return {
        store: await open(),
        openAgain: open,
        // Leases go by the clock of the server, which no test can move: so what they have left is cut instead.
        async passTime(ms) {
          await database.query(`update ${schema}.leases set expires_at = expires_at - interval '${ms} milliseconds'`)
        },
        remove: () => database.dropSchema(schema),
      }
    },
  }
}

describeWithPostgres('PostgreSQL store', (database) => {
  const harness = createHarness(database)
  it.each([...conformanceCases, ...sharedConformanceCases])('$title', async ({ run }) => {
    await expect(run(harness)).resolves.toBeUndefined()
  })

  it('uses one connection if it may use no more', async () => {
    const schema = database.createSchemaName()
    const store = await createPostgresStore({ url: database.url, schema, poolSize: 1 })
    try {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.sessions.create({ id: `s${index}`, createdAt: 1 })),
      )
      expect((await store.sessions.list({})).items).toHaveLength(20)
    } finally {
      await store.close()
      await database.dropSchema(schema)
    }
  })
})

describe('options that make no store', () => {
  it.each([
    ['no address', {}],
    ['two addresses', { url: 'postgres://localhost/x', connection: {} }],
    ['another database', { url: 'mysql://localhost/x' }],
    ['a name of a schema that needs quoting', { url: 'postgres://localhost/x', schema: 'a"b' }],
    ['a long name of a schema', { url: 'postgres://localhost/x', schema: 'x'.repeat(49) }],
  ])('%s is refused', async (_what, options) => {
    await expect(createPostgresStore(options)).rejects.toMatchObject({ name: 'StoreError', code: 'invalid' })
  })
})
