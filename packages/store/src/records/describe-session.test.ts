import { describe, expect, it } from 'vitest'
import {
  assistant,
  compaction,
  numberLines,
  settings,
  thought,
  toolCall,
  toolResult,
  user,
} from '../testing/build-entries.ts'
import type { Line } from '../testing/build-entries.ts'
import { findPreview, foldHead, moveUpdatedAt, titleOf, toStorableText } from './describe-session.ts'

const titleAfter = (header: Parameters<typeof titleOf>[0], ...lines: readonly Line[]) =>
  titleOf(header, foldHead(numberLines(lines)))
const preview = (...lines: readonly Line[]) => findPreview(numberLines(lines))

describe('titleOf', () => {
  it("is the user's title, else the one it was created with", () => {
    expect(titleAfter({})).toBeNull()
    expect(titleAfter({ title: 'Imported' })).toBe('Imported')
    expect(titleAfter({ title: 'Imported' }, settings({ title: 'Mine' }), settings({ preset: 'micro' }))).toBe('Mine')
    expect(titleAfter({ title: 7 })).toBeNull()
    expect(titleAfter({ title: 'Imported' }, settings({ title: '' }))).toBeNull()
    expect(titleAfter({}, settings({ title: 'a\u0000b\ud800' }))).toBe('a b\ufffd')
  })
})

describe('findPreview', () => {
  it('is the newest text of the user or the model', () => {
    expect(preview(user('one'), assistant('two'), toolCall('run', {}), toolResult('three'), thought('hm'))).toBe('two')
    expect(preview(user('one'), compaction(1), { type: 'reset' })).toBe('one')
    expect(preview(toolResult('three'), user(' \n '))).toBeUndefined()
    expect(preview()).toBeUndefined()
  })

  it('is one short line of whole characters', () => {
    expect(preview(user('  a\n\n b\tc  '))).toBe('a b c')
    const long = preview(user(`x${'🦊'.repeat(500)}`)) ?? ''
    expect(long.length).toBeLessThanOrEqual(200)
    expect(long).not.toContain('\ufffd')
    expect(preview(user('a\u0000b\ud800'))).toBe('a b\ufffd')
  })
})

describe('moveUpdatedAt', () => {
  it('follows the newest entry and never runs backwards', () => {
    const at = (time: number) => numberLines([{ ...user('x'), at: time }])
    expect(moveUpdatedAt(100, at(200))).toBe(200)
    expect(moveUpdatedAt(100, at(50))).toBe(100)
    expect(moveUpdatedAt(100, [])).toBe(100)
    expect(moveUpdatedAt(100, at(200.7))).toBe(200)
    expect(moveUpdatedAt(100, at(1e300))).toBe(100)
  })
})

describe('toStorableText', () => {
  it('leaves out what a text column cannot hold', () => {
    expect(toStorableText('a\u0000b \ud800 🦊\n')).toBe('a b \ufffd 🦊\n')
  })
})
