import { expect, test } from 'vitest'
import { findMentions } from '../bench/retention/independent/find-mentions.ts'
import { findReferences } from '../bench/retention/independent/find-references.ts'
import type { SpokenMessage } from '../bench/retention/independent/find-references.ts'
import { createHolds, findSharedNames } from '../bench/retention/independent/holds-mention.ts'

test('mentions are what a reader could not guess', () => {
  const text =
    'Open src/ui/theme.ts and run `npm run lint fast`; booking HAT118 of 1,250 seats, this.session.runStep failed.'
  expect(findMentions(text)).toEqual([
    { kind: 'path', text: 'src/ui/theme.ts' },
    { kind: 'code', text: 'HAT118' },
    { kind: 'number', text: '1,250' },
    { kind: 'identifier', text: 'runStep' },
    { kind: 'quoted', text: 'npm run lint fast' },
  ])
  expect(findMentions('This is and/or that, at 10 to 12 of a nice day.')).toEqual([])
})

test('a reference is what somebody says again ten messages later, and not before', () => {
  const filler = Array.from({ length: 9 }, () => said('Nothing of interest.'))
  const far = [said('We call it parseHeader here.'), ...filler, said('Look at parseHeader again.')]
  expect(listReferences(far)).toEqual([[10, 'parseHeader']])
  const near = [said('We call it parseHeader here.'), ...filler.slice(1), said('Look at parseHeader again.')]
  expect(listReferences(near)).toEqual([])
})

test('the output of a program refers to nothing, but may be referred to', () => {
  const filler = Array.from({ length: 10 }, () => said('Nothing of interest.'))
  const shown: SpokenMessage = { ...said('error code E4711x'), role: 'tool', said: null }
  expect(listReferences([shown, ...filler, said('What was E4711x?')])).toEqual([[11, 'E4711x']])
  expect(listReferences([said('What is E4711x?'), ...filler, shown])).toEqual([])
})

test('what the system prompt or a message nearby holds is no reference', () => {
  const filler = Array.from({ length: 10 }, () => said('Nothing of interest.'))
  const messages = [said('Use parseHeader.'), ...filler, said('Use parseHeader.')]
  expect(findReferences(messages, 'Always call parseHeader.').size).toBe(0)
})

test('a path is told by its base name unless another path has the same', () => {
  const mention = { kind: 'path', text: 'src/ui/theme.ts' } as const
  const alone = createHolds(mention, findSharedNames([mention]))
  expect(alone('- src/ui: button.ts, theme.ts')).toBe(true)
  expect(alone('- src/ui: mytheme.ts')).toBe(false)
  const shared = createHolds(mention, findSharedNames([mention, { kind: 'path', text: 'src/cli/theme.ts' }]))
  expect(shared('- src/cli: theme.ts')).toBe(false)
  expect(shared('- src/ui: button.ts, theme.ts')).toBe(true)
})

function said(text: string): SpokenMessage {
  return { role: 'user', parts: [{ type: 'text', text }], said: text }
}

function listReferences(messages: readonly SpokenMessage[]): readonly (readonly [number, string])[] {
  return [...findReferences(messages, '')].flatMap(([index, found]) =>
    found.map(({ text }): [number, string] => [index, text]),
  )
}
