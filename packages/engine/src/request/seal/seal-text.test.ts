import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryUtf16 } from '../../testing/arbitrary-conversation.ts'
import { call, file, image, reasoning, result, text } from '../../testing/build-conversation.ts'
import { sealParts } from './seal-text.ts'

const HALF = '\ud83d'

describe('sealParts', () => {
  it('returns the very same parts where nothing has to change', () => {
    const parts = [
      text('😀'),
      reasoning('hm'),
      image(),
      file(),
      call('a', 'read', { path: '漢' }),
      result('a', [text('x'), image()]),
    ]
    expect(sealParts(parts)).toBe(parts)
  })

  it('half a surrogate pair becomes the replacement character, wherever it stands', () => {
    const sealed = sealParts([
      text(`a${HALF}`),
      reasoning(`${HALF}b`),
      call('a', 'read', { [`key${HALF}`]: [`v${HALF}`, { deep: HALF }], n: 1, none: null }),
      result('a', HALF),
      result('b', [text(`x${HALF}`), image()]),
      file(`f${HALF}.pdf`),
    ])
    expect(sealed).toEqual([
      text('a�'),
      reasoning('�b'),
      call('a', 'read', { 'key�': ['v�', { deep: '�' }], n: 1, none: null }),
      result('a', '�'),
      result('b', [text('x�'), image()]),
      file('f�.pdf'),
    ])
  })

  it('an empty result says so', () => {
    const empty = result('a', '[no output]')
    expect(sealParts([result('a', ''), result('a', []), result('a', [text(' '), text('')])])).toEqual([
      empty,
      empty,
      empty,
    ])
    expect(sealParts([result('a', [text(''), image(), text('x')])])).toEqual([result('a', [image(), text('x')])])
  })

  it('leaves text that looks like an escape alone', () => {
    const parts = [call('a', 'write', { text: '\\ud83d' })]
    expect(sealParts(parts)).toEqual(parts)
  })

  it('never leaves half a pair, and never changes what is whole', () => {
    fc.assert(
      fc.property(arbitraryUtf16(), (words) => {
        const parts = [text(words), call('a', 'x', { words, [words]: 1 }), result('a', words === '' ? 'x' : words)]
        const sealed = sealParts(parts)
        expect(JSON.stringify(sealed).isWellFormed()).toBe(true)
        expect(JSON.stringify(sealed)).not.toMatch(/(?<!\\)\\ud[89a-f]/i)
        if (words.isWellFormed()) expect(sealed).toEqual(parts)
      }),
    )
  })
})
