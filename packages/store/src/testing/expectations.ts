import assert from 'node:assert/strict'
import { isRecord } from '@longhaul/engine/advanced'
import type { DumpRecord } from '../port/dump.ts'
import type { Store } from '../port/store.ts'
import { StoreError } from '../store-error.ts'
import type { StoreErrorCode } from '../store-error.ts'

/** Rejects with a StoreError of this code that says what is wrong. */
export async function expectCode(code: StoreErrorCode, call: () => Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error: unknown) => {
    assert.ok(error instanceof StoreError, `Expected a StoreError, got ${String(error)}`)
    assert.equal(error.code, code, error.message)
    assert.notEqual(error.message, '')
    return true
  })
}

/** The same, and nothing that the store holds has changed. */
export async function expectRefusal(store: Store, code: StoreErrorCode, call: () => Promise<unknown>): Promise<void> {
  const before = await dumpText(store)
  await expectCode(code, call)
  assert.deepEqual(await dumpText(store), before, 'A rejected call must change nothing.')
}

export async function readDump(store: Store): Promise<readonly DumpRecord[]> {
  const records: DumpRecord[] = []
  for await (const record of store.dump()) records.push(record)
  return records
}

/** What a store holds as lines of JSON that can be compared: backends differ in the order of sessions, not in content. */
export async function dumpText(store: Store): Promise<readonly string[]> {
  return toComparable(await readDump(store))
}

export function toComparable(records: readonly DumpRecord[]): readonly string[] {
  return records.map((record) => JSON.stringify(record, orderOurKeys)).toSorted()
}

/** Byte for byte: the order of keys counts. */
export function expectSameBytes(actual: unknown, expected: unknown): void {
  assert.equal(JSON.stringify(actual), JSON.stringify(expected))
}

/** What came from outside is compared byte for byte; in records of ours the order of keys says nothing. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['entry', 'header', 'payload', 'manifest', 'outcome'])

function orderOurKeys(key: string, value: unknown): unknown {
  if (FROM_OUTSIDE.has(key)) return JSON.stringify(value)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([first], [second]) => (first < second ? -1 : 1)))
}
