import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeWithPostgres } from '../../../../test/postgres/describe-with-postgres.ts'
import type { TestDatabase } from '../../../../test/postgres/describe-with-postgres.ts'
import { openTestStore } from '../../../../test/postgres/open-test-store.ts'
import { foldHead } from '../records/describe-session.ts'
import { assistant, user } from '../testing/build-entries.ts'
import { dumpText } from '../testing/expectations.ts'
import { createSession, takeSession } from '../testing/session-writer.ts'
import { createPostgresStore } from './create-postgres-store.ts'
import { MIGRATIONS, SCHEMA_VERSION } from './migrations.ts'

/** What a schema is made of, as the server sees it. */
function describeSchema(database: TestDatabase, schema: string) {
  return database.query(
    `select table_name, column_name, data_type, is_nullable, column_default is not null as has_default, '' as definition
    from information_schema.columns where table_schema = $1
    union all
    select tablename, indexname, '', '', false, replace(indexdef, $1, 'schema') from pg_indexes where schemaname = $1
    order by 1, 2`,
    [schema],
  )
}

/** Each of them has a file in `fixtures/store`. */
const VERSIONS = MIGRATIONS.map((_, index) => index + 1)

/** A schema as a version left it; its name. */
async function loadVersion(database: TestDatabase, version: number): Promise<string> {
  const schema = reserveSchema(database)
  const file = join(import.meta.dirname, `../../../../fixtures/store/postgres-v${version}.sql`)
  await database.query(readFileSync(file, 'utf8').replaceAll(`longhaul_v${version}`, schema))
  return schema
}

function reserveSchema(database: TestDatabase): string {
  const schema = database.createSchemaName()
  onTestFinished(() => database.dropSchema(schema))
  return schema
}

describeWithPostgres('migrations of PostgreSQL', (database) => {
  it('are done once, however many servers start at once', async () => {
    const schema = reserveSchema(database)
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => createPostgresStore({ url: database.url, schema, poolSize: 2 })),
    )
    expect(await database.query(`select version from ${schema}.migrations order by version`)).toEqual(
      MIGRATIONS.map((_, index) => ({ version: index + 1 })),
    )
    await Promise.all(stores.map((store, index) => createSession(store, `s${index}`, user('hi'))))
    expect((await stores[0]?.sessions.list({}))?.items).toHaveLength(4)
    for (const store of stores) await store.close()
  })

  it.each(VERSIONS)('ONE-04 bring a database of version %i up to date, with all that is in it', async (version) => {
    const schema = await loadVersion(database, version)
    const store = await createPostgresStore({ url: database.url, schema, poolSize: 2 })
    onTestFinished(() => store.close())

    const [row] = await database.query(`select max(version) as version from ${schema}.migrations`)
    expect(row?.['version']).toBe(SCHEMA_VERSION)
    const entries = await store.entries.read('old-session', {})
    expect(entries.length).toBeGreaterThan(3)
    expect((await store.sessions.get('old-session'))?.head.lastSeq).toBe(entries.length)
    // Its fold may be of an earlier version too.
    await store.repairHead('old-session')
    expect((await store.sessions.get('old-session'))?.head).toEqual(foldHead(entries))
    expect(await store.search.search({ query: 'lighthouse' })).toHaveLength(1)
    expect(await store.artifacts.read('old-session', 'full-output')).toBe('the whole output 🦊')
    expect((await store.inbox.list('old-session')).map(({ id }) => id)).toEqual(['waiting'])
    expect((await store.learned.get('model-a')).window).toEqual({ tokens: 128_000, at: 1_700_000_000_000 })
    expect(await store.events.getLastId('old-session')).toBe(3)
    expect(await store.memory.search({ query: 'tea' })).toHaveLength(version >= 2 ? 1 : 0)
    const near = await store.memory.searchNear({ model: 'local/embed', vector: [1, 0] })
    expect(near).toHaveLength(version >= 3 ? 1 : 0)

    const writer = await takeSession(store, 'old-session')
    await writer.write([assistant('and on it goes')])
    await store.memory.put({ name: 'MEMORY.md', updatedAt: 1, text: 'new here' }, [])
    expect(await store.check()).toEqual([])
  })

  it('ONE-04 leave the memory of version 2 to wait for vectors', async () => {
    const schema = await loadVersion(database, 2)
    const store = await createPostgresStore({ url: database.url, schema, poolSize: 1 })
    onTestFinished(() => store.close())
    const { memory } = store
    expect(await memory.listWithoutVector('local/embed')).toEqual(['Likes tea.'])
    await memory.putVectors('local/embed', [{ text: 'Likes tea.', vector: [1, 0] }])
    expect(await memory.searchNear({ model: 'local/embed', vector: [1, 0] })).toHaveLength(1)
  })

  it.each(VERSIONS)('ONE-04 lead to the same schema from version %i', async (version) => {
    const { schema: fresh } = await openTestStore(database)
    const upgraded = await loadVersion(database, version)
    const store = await createPostgresStore({ url: database.url, schema: upgraded, poolSize: 1 })
    await store.close()
    expect(await describeSchema(database, upgraded)).toEqual(await describeSchema(database, fresh))
  })

  it('leave a database of a newer version as it is', async () => {
    const { store, schema, openAgain } = await openTestStore(database)
    await createSession(store, 's1', user('written by a newer version'))
    const before = await dumpText(store)
    await database.query(`insert into ${schema}.migrations (version, applied_at) values (99, now())`)
    const schemaBefore = await describeSchema(database, schema)
    const refused = openAgain()
    await expect(refused).rejects.toMatchObject({ code: 'newer-schema' })
    await expect(refused).rejects.toThrow(/99.*update Longhaul/s)
    expect(await describeSchema(database, schema)).toEqual(schemaBefore)
    expect(await dumpText(store)).toEqual(before)
  })

  it('keep to a schema that was made for a user who may make none', async () => {
    const schema = reserveSchema(database)
    const role = `${schema}_role`
    await database.query(`create role ${role} login; create schema ${schema} authorization ${role}`)
    onTestFinished(async () => {
      await database.dropSchema(schema)
      await database.query(`drop role ${role}`)
    })
    const url = new URL(database.url)
    url.username = role
    const store = await createPostgresStore({ url: url.href, schema, poolSize: 1 })
    await createSession(store, 's1', user('hi'))
    await store.close()
    const other = createPostgresStore({ url: url.href, schema: database.createSchemaName() })
    await expect(other).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/no right/) as string,
    })
  })
})
