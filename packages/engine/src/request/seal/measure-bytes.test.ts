import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { text } from '../../testing/build-conversation.ts'
import { bytesOf, bytesOfText, measureRequest } from './measure-bytes.ts'

const utf8 = (words: string): number => new TextEncoder().encode(words).length

describe('bytes', () => {
  it('are those of UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (words) => {
        expect(bytesOfText(words)).toBe(utf8(words))
        expect(bytesOf([text(words)])).toBe(utf8(JSON.stringify([text(words)])))
      }),
    )
  })
})

const hashRequest = (...request: Parameters<typeof measureRequest>): string => measureRequest(...request).bytesHash

describe('measureRequest', () => {
  const message = (role: 'user' | 'assistant', words: string) => ({ role, parts: [text(words)] })
  const tool = { name: 'read', description: '', inputSchema: {} }

  it('is equal for equal bytes, whichever objects hold them', () => {
    expect(hashRequest('s', [message('user', 'a')], [tool])).toBe(
      hashRequest('s', [message('user', 'a')], [{ ...tool }]),
    )
  })

  it('differs as soon as anything differs', () => {
    const hashes = [
      hashRequest(null, [], []),
      hashRequest('s', [], []),
      hashRequest('s', [message('user', 'a')], []),
      hashRequest('s', [message('assistant', 'a')], []),
      hashRequest('s', [message('user', 'a'), message('user', 'b')], []),
      hashRequest('s', [{ role: 'user', parts: [text('a'), text('b')] }], []),
      hashRequest('s', [message('user', 'ab')], []),
      hashRequest('s', [message('user', 'a')], [tool]),
    ]
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})
