import type { MessageEntry } from '@longhaul/runtime'
import { expect, it } from 'vitest'
import { toBlocks } from './to-blocks.ts'

it('a failed answer was not to be seen in the history: its reason stands where it would', () => {
  const asked: MessageEntry = {
    type: 'message',
    seq: 1,
    id: 'm1',
    at: 1,
    role: 'user',
    parts: [{ type: 'text', text: 'Hello' }],
  }
  const failed: MessageEntry = {
    ...asked,
    seq: 2,
    id: 'a1',
    role: 'assistant',
    parts: [{ type: 'text', text: 'Once ' }],
    finish: 'error',
    failure: { code: 'provider-unavailable', message: 'The answer broke off: socket hang up' },
  }
  expect(toBlocks([asked, failed])).toEqual([
    { kind: 'user', id: 'm1', text: 'Hello' },
    { kind: 'assistant', text: 'Once ' },
    { kind: 'notice', tone: 'error', text: 'The answer broke off: socket hang up' },
  ])
})
