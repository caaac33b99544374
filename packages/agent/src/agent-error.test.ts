import { PRESETS, parsePolicy } from '@longhaul/engine/advanced'
import { StoreError } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { AgentError, isLeaseLost, toAgentError } from './agent-error.ts'

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('what clients hear of an error', () => {
  it('one of ours stays what it is', () => {
    const error = new AgentError('busy', 'Later.')
    expect(toAgentError(error)).toBe(error)
  })

  it.each([
    ['not-found', 'not-found'],
    ['id-conflict', 'id-conflict'],
    ['invalid', 'invalid-request'],
    ['unreadable-transcript', 'invalid-request'],
    ['lease-lost', 'busy'],
  ] as const)('%s of the store is %s, in its own words', (code, expected) => {
    const error = new StoreError(code, 'There is no session s.')
    expect(toAgentError(error)).toMatchObject({ code: expected, message: 'There is no session s.', cause: error })
  })

  it.each([
    [new StoreError('unavailable', 'disk full: /home/zoe/longhaul.db'), 'store-unavailable'],
    [new StoreError('damaged', 'row 7 of /home/zoe/longhaul.db'), 'internal'],
    [Object.assign(new Error('/home/zoe'), { name: 'StoreError', code: 'of its own' }), 'store-unavailable'],
    [new TypeError('cannot read zoe of undefined'), 'internal'],
    ['zoe', 'internal'],
    [undefined, 'internal'],
  ])('%s tells nothing of the inside, and keeps it as the cause', (error, code) => {
    const told = toAgentError(error)
    expect(told).toMatchObject({ code, cause: error })
    expect(told.message).not.toContain('zoe')
  })

  it('a policy that does not hold is the asker’s to mend', () => {
    const error = thrownBy(() => parsePolicy(PRESETS.longhaul, { compaction: { triggerRatio: 'often' } }))
    expect(toAgentError(error)).toMatchObject({ code: 'invalid-request' })
    expect(toAgentError(error).message).toContain('triggerRatio')
  })

  it('a lost lease is told apart', () => {
    expect(isLeaseLost(new StoreError('lease-lost', 'gone'))).toBe(true)
    expect(isLeaseLost(new StoreError('unavailable', 'gone'))).toBe(false)
    expect(isLeaseLost(new Error('lease-lost'))).toBe(false)
  })
})
