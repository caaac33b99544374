import { describe, expect, test } from 'vitest'
import { assistant, call, items, result, tool, user } from '../../testing/build-conversation.ts'
import type { Message } from '../../transcript/message.ts'
import { extractFacts } from '../extract-facts.ts'

function asksOf(...messages: readonly Message[]) {
  const facts = extractFacts(items(...messages))
  const read = (kind: string) => {
    const fact = facts.find((candidate) => candidate.kind === kind)
    return fact === undefined ? null : [fact.text, fact.note]
  }
  return { first: read('first-ask'), latest: read('latest-ask') }
}

describe('collectAsks', () => {
  test('the first and the latest, word for word', () => {
    const asks = asksOf(user('Fix  the bug.\nThen test.'), assistant('Done.'), user('And now?'))
    expect(asks).toEqual({ first: ['Fix  the bug.\nThen test.', undefined], latest: ['And now?', undefined] })
  })

  test('a reply answers it, a tool call does not', () => {
    expect(asksOf(user('Go'), assistant('Done.')).latest).toEqual(['Go', 'answered'])
    expect(asksOf(user('Go'), assistant('I look', call('a')), tool(result('a'))).latest).toEqual(['Go', undefined])
  })

  test('what programs write with the role of the user is no ask', () => {
    const asks = asksOf(
      user('Go'),
      assistant('ok'),
      user('<task-notification>done</task-notification>'),
      user('[Request interrupted by user]'),
    )
    expect(asks.latest).toEqual(['Go', 'answered'])
    expect(asksOf(user('Hi <system-reminder>be good</system-reminder>')).first?.[0]).toBe('Hi')
  })

  test('of every ask how it begins; a mere yes is none', () => {
    const facts = extractFacts(
      items(
        user('Fix the bug.'),
        assistant('Which one?'),
        user('The one in the parser, please. Then look at every other place where numbers are read.'),
        user('yes'),
        user(`No, that is horrible.\n\nFirst rename the parser. ${'And so on. '.repeat(40)}`),
      ),
    ).flatMap(({ kind, text }) => (kind === 'ask' ? [text] : []))
    expect(facts.slice(0, 2)).toEqual([
      'Fix the bug.',
      'The one in the parser, please. Then look at every other place where numbers are read.',
    ])
    expect(facts[2]).toMatch(/^No, that is horrible\. First rename the parser\. And so on\..*…$/)
    expect(facts[2]).toHaveLength(240)
    expect(facts).toHaveLength(3)
  })

  test('a very long one keeps head and tail and says so', () => {
    const [text = ''] = asksOf(user(`BEGIN ${'x'.repeat(10_000)} END`)).first ?? []
    expect(text.startsWith('BEGIN')).toBe(true)
    expect(text.endsWith('END')).toBe(true)
    expect(text).toContain('characters left out')
    expect(text.length).toBeLessThan(4_000)
  })
})

describe('collectOpenWork', () => {
  test('calls nothing came back from', () => {
    expect(openOf(assistant(call('a', 'bash', { command: 'npm test' })))).toEqual(['bash npm test | no result'])
    expect(openOf(assistant(call('a', 'bash', { command: 'npm test' })), tool(result('a')))).toEqual([])
  })

  test('the newest to-do list with its states', () => {
    expect(
      openOf(
        ...list('a', [{ content: 'old point', status: 'pending' }]),
        ...list('b', [
          { content: 'write tests', status: 'in_progress' },
          { content: 'parse', status: 'completed' },
          { content: 'render', status: 'pending' },
        ]),
      ),
    ).toEqual(['write tests | todo: in progress', 'parse | todo: done', 'render | todo: pending'])
  })

  test('a list of check boxes', () => {
    const plan = '- [x] one\n- [ ] two\n'
    expect(openOf(assistant(call('a', 'update_plan', { text: plan })), tool(result('a')))).toEqual([
      'one | todo: done',
      'two | todo: pending',
    ])
  })
})

function openOf(...messages: readonly Message[]) {
  return extractFacts(items(...messages)).flatMap(({ kind, text, note }) =>
    kind === 'open-work' ? [`${text} | ${note}`] : [],
  )
}

function list(id: string, todos: { content: string; status: string }[]) {
  return [assistant(call(id, 'TodoWrite', { todos })), tool(result(id))]
}
