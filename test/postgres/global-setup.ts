import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startServer } from './start-server.ts'
import type { TestServer } from './start-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files ask for the server that all of them share. */
    readonly postgresDoor: string
  }
}

/** What a test file gets for an answer. */
export type DoorAnswer = { readonly url: string } | { readonly reason: string }

/** One PostgreSQL for the whole run, started when the first test file asks for it. */
export default async function openDoor({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-door-'))
  let starting: Promise<TestServer> | null = null
  const answer = async (): Promise<DoorAnswer> => {
    const url = process.env['DATABASE_URL']
    if (url !== undefined && url !== '') return { url }
    try {
      starting ??= startServer()
      return { url: (await starting).url }
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error) }
    }
  }
  const door = createServer((caller) => {
    caller.on('error', () => {})
    void answer().then((text) => caller.end(JSON.stringify(text)))
  })
  const path = join(folder, 'door')
  await new Promise<void>((resolve) => door.listen(path, resolve))
  provide('postgresDoor', path)
  return async () => {
    door.close()
    const server = await starting?.catch(() => null)
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
