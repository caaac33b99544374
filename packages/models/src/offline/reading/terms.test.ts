import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isFaint, termsOf } from './terms.ts'

describe('termsOf', () => {
  it.each([
    ['deployed deploying deploys', 'deploy'],
    ['migrate migrated migrating migration', 'migration'],
    ['live lives lived living', 'live'],
    ['configure configuration settings', 'config'],
    ['city cities', 'city'],
    ['preference preferred', 'prefer'],
    ['chose decision agreed', 'decide'],
  ])('%s mean the same', (words, word) => {
    expect([...new Set(termsOf(words))]).toEqual(termsOf(word))
  })

  it.each([
    ['care', 'car'],
    ['product', 'prod'],
    ['café', 'caffeine'],
    ['form', 'format'],
    ['8080', '808'],
  ])('%s and %s do not', (one, other) => {
    expect(termsOf(one)).not.toEqual(termsOf(other))
  })

  it('does not hear accents', () => {
    expect(termsOf('Café Tomás')).toEqual(termsOf('cafe tomas'))
  })

  it('leaves out small words and question words of several languages', () => {
    expect(termsOf('What is the name of my dog?')).toEqual(termsOf('name dog'))
    expect(termsOf('Wo ist das Passwort?')).toEqual(termsOf('Passwort'))
    expect(termsOf('会议是什么时候？')).toEqual(['会', '议'])
  })

  it('reads scripts without spaces by characters, and figures beside them whole', () => {
    expect(termsOf('数据库端口8080')).toEqual(['数', '据', '库', '端', '口', '8080'])
    expect(termsOf('サーバーのポートは8080です')).toEqual(['サーバー', 'ポート', '8080'])
    expect(termsOf('포트는 8080입니다')).toEqual(termsOf('포트 8080'))
  })

  it('finds the words inside a name, and the name', () => {
    expect(termsOf('windowTokens')).toEqual([...termsOf('windowtokens'), ...termsOf('window tokens')])
  })

  it('hears a name in an introduction', () => {
    expect(termsOf("I'm Anna.")).toEqual(expect.arrayContaining([...termsOf('What is my name?')]))
    expect(termsOf("I'm Dutch by birth.")).not.toEqual(expect.arrayContaining([...termsOf('What is my name?')]))
  })

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const term of termsOf(text)) expect(term).not.toBe('')
      }),
    )
  })
})

it('a word that says little is faint, whatever its form', () => {
  expect(['using', 'used', 'find'].flatMap(termsOf).every(isFaint)).toBe(true)
  expect(termsOf('port').some(isFaint)).toBe(false)
})
