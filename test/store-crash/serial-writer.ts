// node serial-writer.ts '{ "file", "appends", "puts" }': one durable call after another, each told of once it has resolved.
import { createOwner } from '../../packages/store/src/owner/owner.ts'
import { createSqliteStore } from '../../packages/store/src/sqlite/create-sqlite-store.ts'
import { START_AT, user } from '../../packages/store/src/testing/build-entries.ts'
import { takeSession } from '../store-load/owned-session.ts'
import { tell } from '../store-load/report.ts'

export interface SerialWriterArgument {
  readonly file: string
  readonly appends: number
  readonly puts: number
}

const { file, appends, puts } = JSON.parse(process.argv[2] ?? '') as SerialWriterArgument
const store = await createSqliteStore({ file })
await store.sessions.create({ id: 'one', createdAt: START_AT })
const session = await takeSession({ store, sessionId: 'one', owner: createOwner() })
for (let number = 0; number < appends; number += 1) await session?.append([user('words')])
for (let number = 0; number < puts; number += 1) {
  const message = { sessionId: 'one', id: `m${number}`, at: START_AT, kind: 'message', payload: {} } as const
  tell({ type: 'put', item: (await store.inbox.put(message)).item })
}
await store.close()
