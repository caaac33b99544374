import { createClient } from '@longhaul/protocol'
import { startServer } from '@longhaul/server'
import { expect, it, onTestFinished } from 'vitest'
import { openRuntime } from '../../packages/server/src/testing/start-app.ts'
import { describeWithPostgres } from '../postgres/describe-with-postgres.ts'
import { startHost } from './start-host.ts'

describeWithPostgres('a host’s session in PostgreSQL', (database) => {
  it('is shown while it goes on, and an undo reaches the host', async () => {
    const schema = database.createSchemaName()
    onTestFinished(() => database.dropSchema(schema))
    const server = await startServer({
      runtime: (parts) =>
        openRuntime({
          environment: { LONGHAUL_STORE: database.url },
          source: JSON.stringify({ postgres: { schema, poolSize: 4 } }),
          ...parts,
        }),
      port: 0,
      graceMs: 0,
    })
    onTestFinished(() => server.close())
    const client = createClient({ baseUrl: server.url })
    const host = startHost({ store: database.url, schema, sessionId: 'garden' })
    await host.order({ do: 'talk', turns: 12 })
    await host.order({ do: 'compact' })
    expect(await client.getSession(host.id)).toMatchObject({ origin: 'pi', compactionCount: 1 })

    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const events = client.follow(host.id, { after: '0', signal: leaving.signal })
    const answer = await fetch(`${server.url}/api/sessions/${host.id}/undo`, { method: 'POST' })
    expect(answer.status).toBe(202)
    const { id } = (await answer.json()) as { readonly id: string }
    // Longer than it takes until abandoned inboxes are taken over.
    await new Promise((resolve) => setTimeout(resolve, 7_000))
    expect((await client.getStatus(host.id)).waiting).toEqual([{ id, kind: 'undo' }])
    await host.order({ do: 'say', text: 'Go on' })
    const types = new Set<string>()
    for await (const { event } of events) {
      types.add(event.type)
      if (event.type !== 'request-settled') continue
      expect(event).toMatchObject({ id, outcome: { ok: true } })
      break
    }
    expect([...types]).toEqual(['entries-added', 'request-settled'])
    expect((await client.listCompactions(host.id)).items.map(({ undone }) => undone)).toEqual([true])
    expect((await client.getStatus(host.id)).waiting).toEqual([])
  })
})
