import { createHash } from 'node:crypto'
import { cp, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { START_AT, user } from '../testing/build-entries.ts'
import { createSession, createTestOwner } from '../testing/session-writer.ts'
import { openConnection } from './database/open-connection.ts'
import { MIGRATIONS, migrate, readVersion } from './migrations.ts'
import { inFolder } from './testing/in-folder.ts'
import { makeVersion, versionFile } from './testing/make-version.ts'
import { moduleUrl, runScript } from './testing/run-script.ts'

/** Each of them has a file in `fixtures/store`. */
const VERSIONS = MIGRATIONS.map((_, index) => index + 1)

describe('migrations', () => {
  it.each(VERSIONS)('ONE-04 a database of version %i opens, upgrades and keeps all', async (version) => {
    await inFolder(async ({ file, open }) => {
      await copyFixture(file, version)
      expect(versionOf(file)).toBe(version)
      const store = await open()
      expect(versionOf(file)).toBe(MIGRATIONS.length)
      const rivers = await store.sessions.get('rivers')
      expect(rivers).toMatchObject({ title: 'Rivers', updatedAt: START_AT + 3, deletedAt: null })
      expect(JSON.stringify(rivers?.header)).toBe('{"agent":"guide","zebra":1,"apple":2}')
      const entries = await store.entries.read('rivers', {})
      expect(entries.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3'])
      expect(rivers?.head).toMatchObject({ foldVersion: 1, lastSeq: 3, totals: { messages: 2 } })
      expect((await store.sessions.list({ deleted: true })).items.map(({ id }) => id)).toEqual(['hidden'])
      expect((await store.inbox.list('rivers')).map(({ id, position }) => ({ id, position }))).toEqual([
        { id: 'i2', position: 2 },
      ])
      expect(await store.events.add('rivers', START_AT, [{ type: 'delta' }])).toBe(8)
      expect((await store.requests.getLast('rivers'))?.outcome).toEqual({ usage: { output: 5, input: 12 } })
      expect((await store.learned.get('gpt-x')).window).toEqual({ tokens: 8_000, at: START_AT })
      expect(await store.artifacts.read('rivers', 'a1')).toBe('the full output of a tool')
      expect((await store.memory.search({ query: 'tea' })).length).toBe(version >= 2 ? 1 : 0)
      const near = await store.memory.searchNear({ model: 'local/embed', vector: [1, 0] })
      expect(near.length).toBe(version >= 3 ? 1 : 0)
      expect(await store.check()).toEqual([])
    })
  })

  it.each(VERSIONS)('ONE-04 a database upgraded from version %i does all that a new one does', async (version) => {
    await inFolder(async ({ file, open }) => {
      await copyFixture(file, version)
      const store = await open()
      const acquired = await store.leases.acquire('rivers', createTestOwner('next'))
      expect(acquired).toMatchObject({ ok: true, lease: { token: 5 }, abandoned: { kind: 'compaction' } })
      const found = async (query: string) => (await store.search.search({ query })).map(({ seq }) => seq)
      expect(await found('rhine')).toEqual([2])
      expect(await found('東京')).toEqual([3])
      expect(await found('walrus')).toEqual([])
      expect((await store.sessions.list({ query: 'river' })).items.length).toBe(1)
      await store.memory.put({ name: 'MEMORY.md', updatedAt: START_AT, text: 'Likes tea.' }, [
        { kind: 'fact', line: 1, text: 'Likes tea.' },
      ])
      expect((await store.memory.search({ query: 'tea' })).length).toBe(1)
    })
  })

  it('ONE-04 memory of version 2 waits for vectors', async () => {
    await inFolder(async ({ file, open }) => {
      await copyFixture(file, 2)
      const { memory } = await open()
      expect(await memory.listWithoutVector('local/embed')).toEqual(['Likes tea.'])
      await memory.putVectors('local/embed', [{ text: 'Likes tea.', vector: [1, 0] }])
      expect((await memory.searchNear({ model: 'local/embed', vector: [1, 0] })).length).toBe(1)
    })
  })

  it.each(VERSIONS)('ONE-04 version %i makes the same tables today as it did then', async (version) => {
    await inFolder(async ({ folder }) => {
      const made = join(folder, 'made.db')
      makeVersion(version, made)
      expect(schemaOf(made)).toEqual(schemaOf(versionFile(version)))
    })
  })

  it('ONE-04 a migration that fails leaves the version before it, with all it holds', async () => {
    await inFolder(async ({ file, open }) => {
      await copyFixture(file, 1)
      const connection = openConnection(file)
      const failing = [
        ...MIGRATIONS.slice(0, 1),
        (db: DatabaseSync) => {
          db.exec('CREATE TABLE half (x); DELETE FROM entries')
          throw new Error('out of ideas')
        },
      ]
      expect(() => migrate(connection, file, failing)).toThrow('out of ideas')
      expect(readVersion(connection)).toBe(1)
      connection.close()
      expect((await (await open()).entries.read('rivers', {})).length).toBe(3)
    })
  })

  it('ONE-04 a process killed in the middle of a migration does no harm', async () => {
    await inFolder(async ({ file, open }) => {
      await copyFixture(file, 1)
      const { signal, stderr } = await runScript(`
        import { openConnection } from ${moduleUrl('database/open-connection.ts')}
        import { MIGRATIONS, migrate } from ${moduleUrl('migrations.ts')}
        const kill = (db) => {
          MIGRATIONS[1](db)
          db.exec('DELETE FROM entries')
          process.kill(process.pid, 'SIGKILL')
        }
        migrate(openConnection(${JSON.stringify(file)}), 'x', [MIGRATIONS[0], kill])
      `)
      expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
      const store = await open()
      expect((await store.entries.read('rivers', {})).length).toBe(3)
      expect(await store.check()).toEqual([])
    })
  })

  it('many that open a new file at once all get the same one', async () => {
    await inFolder(async ({ file, open }) => {
      const stores = await Promise.all(Array.from({ length: 5 }, () => open()))
      for (const [index, store] of stores.entries()) await createSession(store, `s${index}`, user('hello'))
      expect((await stores[0]?.sessions.list({}))?.items.length).toBe(5)
      expect(versionOf(file)).toBe(MIGRATIONS.length)
    })
  })

  it('a database of a newer version is refused and left as it is, to the byte', async () => {
    await inFolder(async ({ folder, file, open }) => {
      const store = await open()
      await createSession(store, 's1', user('of the future'))
      await store.close()
      const connection = new DatabaseSync(file)
      connection.exec('PRAGMA user_version = 99; CREATE TABLE tomorrow (x)')
      connection.close()
      const before = await hashOf(file)
      await expect(open()).rejects.toMatchObject({ code: 'newer-schema', message: expect.stringContaining('99') })
      expect(await hashOf(file)).toBe(before)
      expect(await readdir(folder)).toEqual(['longhaul.db'])
    })
  })

  it('a database that a newer Longhaul upgrades meanwhile is written to no more', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      await createSession(store, 's1', user('before'))
      const connection = new DatabaseSync(file)
      connection.exec('PRAGMA user_version = 99')
      await expect(createSession(store, 's2', user('after'))).rejects.toMatchObject({ code: 'newer-schema' })
      expect(connection.prepare('SELECT count(*) AS n FROM sessions').get()).toMatchObject({ n: 1 })
      connection.close()
    })
  })
})

async function copyFixture(file: string, version: number): Promise<void> {
  await writeFile(file, await readFile(versionFile(version)))
  await cp(`${versionFile(version)}.artifacts`, `${file}.artifacts`, { recursive: true })
}

function versionOf(file: string): number {
  const connection = new DatabaseSync(file)
  try {
    return readVersion(connection)
  } finally {
    connection.close()
  }
}

function schemaOf(file: string): readonly unknown[] {
  const connection = new DatabaseSync(`file:${file}?immutable=1`, { readOnly: true })
  try {
    return connection.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
  } finally {
    connection.close()
  }
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}
