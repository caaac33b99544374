import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../../test/postgres/describe-with-postgres.ts'
import { createConnectionConfig } from './connection-config.ts'
import { createConnections } from './connections.ts'
import type { Connections } from './connections.ts'
import { prepareStatement } from './prepared-statement.ts'

/** On a machine that has much to do, too. */
const SOON = { timeout: 20_000 }

describeWithPostgres('connections', ({ url, query: askServer }) => {
  async function withConnections(poolSize: number, test: (connections: Connections) => Promise<void>): Promise<void> {
    const connections = createConnections(createConnectionConfig({ url }), poolSize)
    try {
      await test(connections)
    } finally {
      await connections.close()
    }
  }
  const double = prepareStatement('select $1::integer * 2 as doubled')

  it('go on without prepared statements where a pooler has lost them', async () => {
    await withConnections(1, async ({ use }) => {
      expect(await use((query) => query(double, [1]))).toEqual([{ doubled: 2 }])
      expect(await use((query) => query('select name from pg_prepared_statements'))).toHaveLength(1)
      await use((query) => query('deallocate all'))
      expect(await use((query) => query(double, [2]))).toEqual([{ doubled: 4 }])
      expect(await use((query) => query(double, [3]))).toEqual([{ doubled: 6 }])
      expect(await use((query) => query('select name from pg_prepared_statements'))).toEqual([])
    })
  })

  it('go on without prepared statements where a pooler hands over those of others', async () => {
    await withConnections(1, async ({ use }) => {
      await use((query) => query(`prepare ${double.name} as select 1`))
      expect(await use((query) => query(double, [2]))).toEqual([{ doubled: 4 }])
    })
  })

  it('left inside a transaction are not used again', async () => {
    await withConnections(1, async ({ use }) => {
      const [first] = await use((query) => query<{ pid: number }>('select pg_backend_pid() as pid'))
      const broken = use(async (query) => {
        await query('begin')
        throw new Error('a bug')
      })
      await expect(broken).rejects.toThrow('a bug')
      const [second] = await use((query) => query<{ pid: number }>('select pg_backend_pid() as pid'))
      expect(second?.pid).not.toBe(first?.pid)
    })
  })

  it('that die while nobody uses them are replaced', async () => {
    await withConnections(1, async ({ use }) => {
      const [row] = await use((query) => query<{ pid: number }>('select pg_backend_pid() as pid'))
      await askServer('select pg_terminate_backend($1, 5000)', [row?.pid])
      await expect.poll(() => use((query) => query('select 1 as one')).catch(() => []), SOON).toEqual([{ one: 1 }])
    })
  })

  it('are all closed in the end, also those that are held and those that are waited for', async () => {
    const connections = createConnections(createConnectionConfig({ url }), 1)
    const held = await connections.hold()
    const waiting = connections.use((query) => query('select 1')).catch(() => 'refused')
    const pid = (await held.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid
    held.drop()
    await connections.close()
    await waiting
    await connections.close()
    await expect(connections.use((query) => query('select 1'))).rejects.toMatchObject({ code: 'closed' })
    await expect.poll(() => askServer('select pid from pg_stat_activity where pid = $1', [pid]), SOON).toEqual([])
  })
})
