import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { leaveOut } from '../left-out.ts'
import { findBinaries } from './find-binaries.ts'
import type { DoorAnswer } from './global-setup.ts'
import { startServer } from './start-server.ts'
import type { TestServer } from './start-server.ts'

/** A database of a real server that other tests use at the same time: each works in schemas of its own. */
export interface TestDatabase {
  readonly url: string
  /** A name no other test has. */
  readonly createSchemaName: () => string
  /** Removes a schema with all that is in it, also one that was never made. */
  readonly dropSchema: (schema: string) => Promise<void>
  /** On a connection of its own. */
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>
}

/** Declares tests that need PostgreSQL. Where there is none they are left out, and the end of the report says so. */
export function describeWithPostgres(title: string, body: (database: TestDatabase) => void): void {
  describe(title, async () => {
    const answer = await askAtDoor()
    if ('reason' in answer) leaveOut('needs PostgreSQL', `set DATABASE_URL, or put right: ${answer.reason}`)
    else body(createTestDatabase(answer.url))
  })
}

/** Declares tests that stop, start or crash the server, or change its settings: they get one of their own. */
export function describeWithPrivateServer(title: string, body: (getServer: () => TestServer) => void): void {
  describe(title, () => {
    if (findBinaries().length === 0) {
      leaveOut('needs a PostgreSQL server of its own', 'there is none on this machine; npm ci brings one for Linux')
      return
    }
    let server: TestServer | undefined
    beforeAll(async () => {
      server = await startServer()
    })
    afterAll(async () => {
      await server?.close()
    })
    body(() => server ?? expect.fail('The server is there only while tests run.'))
  })
}

let asked: Promise<DoorAnswer> | undefined

async function askAtDoor(): Promise<DoorAnswer> {
  asked ??= text(connect(inject('postgresDoor'), '127.0.0.1')).then((answer) => JSON.parse(answer) as DoorAnswer)
  return asked
}

function createTestDatabase(url: string): TestDatabase {
  const query: TestDatabase['query'] = async (sql, values = []) => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql, [...values])).rows
    } finally {
      await client.end()
    }
  }
  return {
    url,
    createSchemaName: () => `test_${randomUUID().replaceAll('-', '')}`,
    async dropSchema(schema) {
      await query(`drop schema if exists ${schema} cascade`)
    },
    query,
  }
}
