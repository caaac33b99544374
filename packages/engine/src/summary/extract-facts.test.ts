import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryItems } from '../testing/arbitrary-conversation.ts'
import { assistant, call, items, reasoning, result, tool, user } from '../testing/build-conversation.ts'
import { deepFreeze } from '../testing/deep-freeze.ts'
import { extractFacts } from './extract-facts.ts'

describe('extractFacts', () => {
  test('reads a session: who said what, with its sources', () => {
    const facts = extractFacts(
      items(
        user('Fix ABC-12 in @src/a.ts. Never touch the tests.'),
        assistant('I look.', call('a', 'read', { path: '/app/src/a.ts' })),
        tool(result('a', 'code')),
        assistant(call('b', 'edit', { path: '/app/src/a.ts', oldText: 'x', newText: 'y' })),
        tool(result('b', 'Changed 1 character')),
        assistant('Fixed. We decided to keep the old parser. See https://example.com/12'),
      ),
    )
    expect(facts.map(({ kind, text, by, sources }) => `${kind} | ${text} | ${by} | ${sources.join()}`)).toEqual([
      'first-ask | Fix ABC-12 in @src/a.ts. Never touch the tests. | user | m1',
      'latest-ask | Fix ABC-12 in @src/a.ts. Never touch the tests. | user | m1',
      'ask | Fix ABC-12 in @src/a.ts. Never touch the tests. | user | m1',
      'instruction | Never touch the tests. | user | m1',
      'id | ABC-12 | user | m1',
      'file-changed | /app/src/a.ts | user | m1,m2,m4',
      'decision | We decided to keep the old parser. | assistant | m6',
      'url | https://example.com/12 | assistant | m6',
    ])
  })

  test('reads what was said, not its pruned form', () => {
    const [item] = items(tool(result('a', 'x')))
    const [whole] = items(assistant('see https://example.com/a'))
    if (item === undefined || whole === undefined) throw new Error('no items')
    const pruned = { ...whole, message: item.message, forms: new Map() }
    expect(extractFacts([pruned]).map(({ text }) => text)).toEqual(['https://example.com/a'])
  })

  test('reasoning is nobody’s word', () => {
    expect(extractFacts(items(assistant(reasoning('https://example.com/a'))))).toEqual([])
  })

  test('what stands under the name of a secret is not looked at', () => {
    const facts = extractFacts(
      items(assistant(call('a', 'login', { api_key: 'A1B2C3D4', user: 'mia_li_3668' })), tool(result('a'))),
    )
    expect(facts.map(({ text }) => text)).toEqual(['mia_li_3668'])
  })

  test('no conversation makes it throw; the same one always gives the same facts; texts stay bounded', () => {
    fc.assert(
      fc.property(arbitraryItems(), (span) => {
        const facts = extractFacts(deepFreeze(span))
        expect(extractFacts(span)).toEqual(facts)
        for (const fact of facts) {
          expect(fact.text).not.toBe('')
          expect(fact.text.length).toBeLessThanOrEqual(4_100)
          expect(fact.sources.length).toBeGreaterThan(0)
          expect(fact.count).toBeGreaterThan(0)
        }
      }),
    )
  })

  test('no text makes it slow', () => {
    const units = [
      'a',
      '/',
      'a/',
      'a.',
      '1 ',
      '1.',
      'a1',
      '"',
      '<a-b>',
      '```\n',
      'http://',
      'eyJ',
      'password=',
      'a@',
      'error ',
      '\n',
      '漢。',
      '(',
      '\\',
      'a-',
      "don't ",
      '-----BEGIN PRIVATE KEY-----',
      'and ',
      '@a/',
      'A1-',
      '* ',
    ]
    const slow: string[] = []
    for (const unit of units) {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
      const started = performance.now()
      extractFacts(items(user(text), assistant(text, call('a', 'bash', { command: text })), tool(result('a', text))))
      if (performance.now() - started > 2_000) slow.push(unit)
    }
    expect(slow).toEqual([])
  })
})
