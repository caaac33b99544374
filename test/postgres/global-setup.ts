import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import type { TestServer } from './start-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The port at which test files ask for the server that all of them share. */
    readonly postgresDoor: number
  }
}

/** What a test file gets for an answer. */
export type DoorAnswer = { readonly url: string } | { readonly reason: string }

/** One PostgreSQL for the whole run, started when the first test file asks for it. */
export default async function openDoor({ provide }: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<TestServer> | undefined
  const answer = async (): Promise<DoorAnswer> => {
    const url = process.env['DATABASE_URL']
    if (url !== undefined && url !== '') return { url }
    try {
      starting ??= import('./start-server.ts').then(({ startServer }) => startServer())
      return { url: (await starting).url }
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error) }
    }
  }
  const door = createServer((caller) => {
    caller.on('error', () => {})
    void answer().then((reply) => caller.end(JSON.stringify(reply)))
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  provide('postgresDoor', (door.address() as AddressInfo).port)
  return async () => {
    door.close()
    const server = await starting?.catch(() => null)
    await server?.close()
  }
}
