import assert from 'node:assert/strict'
import { StoreError } from '../../store-error.ts'
import type { StoreErrorCode } from '../../store-error.ts'

/** Runs a call that should succeed (null) or be refused with a code; returns its value, or undefined if refused. */
export async function attempt<T>(expected: StoreErrorCode | null, call: () => Promise<T>): Promise<T | undefined> {
  try {
    const value = await call()
    assert.equal(null, expected, 'It was not refused.')
    return value
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    assert.equal(error.code, expected, error.message)
    return undefined
  }
}
