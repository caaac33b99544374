import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../test/postgres/describe-with-postgres.ts'
import { loadConfig } from '../config/load-config.ts'
import { answerOf, say, startRuntime } from '../testing/start-runtime.ts'
import { openStore } from './open-store.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('openStore', () => {
  it('makes the file of SQLite where it is missing, in a folder that nobody else reads', async () => {
    const overrides = { store: `sqlite:${join(folder, 'deep', 'er', 'sessions.db')}` }
    const config = await loadConfig({ environment: {}, homeFolder: folder, overrides })
    const store = await openStore(config)
    expect(store.kind).toBe('sqlite')
    await store.close()
    expect(await readdir(join(folder, 'deep', 'er'))).toContain('sessions.db')
    expect((await stat(join(folder, 'deep'))).mode & 0o077).toBe(0)
  })
})

describeWithPostgres('a runtime on PostgreSQL', (database) => {
  it('shares sessions and memory between servers that share no disk', async () => {
    const schema = database.createSchemaName()
    const source = JSON.stringify({ store: database.url, postgres: { schema, poolSize: 3 } })
    const first = await startRuntime({ folder: join(folder, 'first'), source })
    const second = await startRuntime({ folder: join(folder, 'second'), source })
    try {
      await first.memory.save('The deploy port is 9090.')
      expect(await second.memory.search('deploy port')).toMatchObject([{ text: expect.stringContaining('9090') }])
      expect(await readdir(join(folder, 'first', 'workspace'))).toStrictEqual([])

      const { id } = await first.agent.createSession()
      await say(first, id, 'The build server is called gull.')
      expect(answerOf(await say(second, id, 'What is the build server called?'))).toContain('gull')
    } finally {
      await Promise.all([first.close(), second.close()])
      await database.dropSchema(schema)
    }
  })
})
