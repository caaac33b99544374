import { join } from 'node:path'
import { createClient } from '@longhaul/protocol'
import type { Client } from '@longhaul/protocol'
import { startServer } from '@longhaul/server'
import { onTestFinished } from 'vitest'
import { createFolder, openRuntime } from '../../packages/server/src/testing/start-app.ts'
import { startHost } from './start-host.ts'
import type { HostProcess } from './start-host.ts'

export interface Shared {
  readonly host: HostProcess
  readonly client: Client
  /** `body` is sent as JSON. */
  readonly request: (method: string, path: string, body?: unknown) => Promise<Response>
  readonly url: string
}

/** A server and a host on the same SQLite file, each in a process of its own. */
export async function startShared({ system }: { readonly system?: string } = {}): Promise<Shared> {
  const folder = await createFolder()
  const server = await startServer({ runtime: (parts) => openRuntime({ folder, ...parts }), port: 0, graceMs: 0 })
  onTestFinished(() => server.close())
  const { url } = server
  return {
    host: startHost({
      store: join(folder, 'longhaul.db'),
      sessionId: 'garden',
      ...(system === undefined ? {} : { system }),
    }),
    client: createClient({ baseUrl: url }),
    url,
    request: (method, path, body) =>
      fetch(url + path, {
        method,
        headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  }
}
