// node small-disk.ts '{ "folder", "copy" }': keeps a store on a disk of a few megabytes, which fills up and is emptied again.
// Tells what was acknowledged, and fails unless every refusal is clear and the store goes on by itself.
import assert from 'node:assert/strict'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOwner } from '../../packages/store/src/owner/owner.ts'
import { createSqliteStore } from '../../packages/store/src/sqlite/create-sqlite-store.ts'
import { StoreError } from '../../packages/store/src/store-error.ts'
import { START_AT, user } from '../../packages/store/src/testing/build-entries.ts'
import { takeSession } from '../store-load/owned-session.ts'
import { tell } from '../store-load/report.ts'

export interface SmallDiskArgument {
  /** Where the disk is mounted, for this process alone. */
  readonly folder: string
  /** Gets all that is on it in the end. */
  readonly copy: string
}

const BALLAST_BYTES = 2_000_000
const CYCLES = 3

const { folder, copy } = JSON.parse(process.argv[2] ?? '') as SmallDiskArgument
const file = join(folder, 'longhaul.db')
const ballast = join(folder, 'ballast')
const store = await createSqliteStore({ file })
await store.sessions.create({ id: 'one', createdAt: START_AT })
const session = await takeSession({ store, sessionId: 'one', owner: createOwner() })
assert.ok(session !== null)

let puts = 0
const append = () => session.append([user('x'.repeat(3_000))])
const keep = async () => {
  const content = `${puts} ${'y'.repeat(20_000)}`
  const { id } = await store.artifacts.put({ sessionId: 'one', at: START_AT, content })
  tell({ type: 'artifact', sessionId: 'one', id, content })
}
const put = async () => {
  puts += 1
  const payload = { text: 'z'.repeat(3_000) }
  const { item } = await store.inbox.put({ sessionId: 'one', id: `m${puts}`, at: START_AT, kind: 'message', payload })
  tell({ type: 'put', item })
}
for (let cycle = 0; cycle < CYCLES; cycle += 1) {
  writeFileSync(ballast, Buffer.alloc(BALLAST_BYTES - cycle * 500_000))
  for (const work of [append, put, keep]) await expectFull(work)
  rmSync(ballast)
  for (const work of [append, put, keep]) await work()
}
assert.deepEqual(await store.check(), [])
await store.close()
// The disk goes with this process.
cpSync(folder, copy, { recursive: true })

/** Repeats it until there is no more room for it. */
async function expectFull(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work()
    } catch (error) {
      assert.ok(error instanceof StoreError, String(error))
      assert.equal(error.code, 'unavailable')
      assert.match(error.message, /is full\. Free some space/)
      return
    }
  }
}
