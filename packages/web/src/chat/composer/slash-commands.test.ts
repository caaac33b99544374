import { describe, expect, it } from 'vitest'
import { findCompletions, isCommand, isWhole, nameOf, takesWords } from './slash-commands.ts'

const commands = [
  { usage: '/compact [instructions]', summary: 'make the context smaller now' },
  { usage: '/context list|detail|json', summary: 'what takes the space' },
  { usage: '/undo', summary: 'take the last compaction back' },
]

describe('slash commands', () => {
  it.each([
    ['/', 3],
    ['/co', 2],
    ['/CO', 2],
    ['/undo', 1],
    ['/undo ', 0],
    ['/compact keep the figures', 0],
    ['/etc/hosts', 0],
    ['hello /co', 0],
    ['', 0],
  ])('%j may become %i of them', (draft, count) => {
    expect(findCompletions(draft, commands)).toHaveLength(count)
  })

  it.each([
    ['/compact keep it', true],
    [' /undo', true],
    ['/etc/hosts is what?', false],
    ['/', false],
    ['a /undo', false],
  ])('%j is a command: %s', (text, expected) => {
    expect(isCommand(text)).toBe(expected)
  })

  it('are whole once their name is typed, unless words must follow', () => {
    const [compact, context, undo] = commands
    const pin = { usage: '/pin TEXT', summary: 'keep these words' }
    expect(
      [compact, context, undo, pin].map((command) => command !== undefined && isWhole(nameOf(command), command)),
    ).toEqual([true, true, true, false])
    expect(isWhole('/con', pin)).toBe(false)
    expect(isWhole('/CONTEXT', { usage: '/context list|detail|json', summary: '' })).toBe(true)
  })

  it('have a name, and some take words', () => {
    expect(commands.map(nameOf)).toEqual(['/compact', '/context', '/undo'])
    expect(commands.map(takesWords)).toEqual([true, true, false])
  })
})
