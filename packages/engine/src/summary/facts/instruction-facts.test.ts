import { describe, expect, test } from 'vitest'
import { assistant, items, user } from '../../testing/build-conversation.ts'
import type { Message } from '../../transcript/message.ts'
import { extractFacts } from '../extract-facts.ts'
import { isStanding } from './instruction-facts.ts'

describe('isStanding', () => {
  test.each([
    'Always answer in French.',
    'From now on, never use semicolons.',
    'Remember that the deploy key is in the vault.',
    "Don't touch the migrations folder.",
    'don’t use any external dependencies',
    'Use tabs, not spaces.',
    'Use pnpm instead of npm.',
    'please keep answers short',
    'You must run the checks before each commit.',
    'The config file must not be changed.',
    'in future, ask before deleting files',
    "and don't forget to update the changelog",
    'I prefer dark mode.',
    'only edit files under src/',
    '- never log passwords',
    'My name is Anna.',
    'Bitte antworte immer auf Deutsch.',
    'Ab jetzt keine Emojis mehr.',
    'Verwende Tabs statt Leerzeichen.',
    'Désormais, réponds en français.',
    "N'oublie pas les tests.",
    'De ahora en adelante responde en español.',
    'No uses emojis.',
    '请总是用中文回答。',
    '不要修改数据库。',
    '记住我的生日是五月三日。',
    '以后回答请简短一点。',
    '必须先运行测试。',
  ])('binds: %s', (sentence) => {
    expect(isStanding(sentence)).toBe(true)
  })

  test.each([
    "I don't know what to do.",
    'They always ask me to make it.',
    'My boss always gives me work and never thanks me.',
    'I want to take a walk.',
    'I need to cancel my flight.',
    'There must be a way.',
    'You must be very talented.',
    'I just want to make sure I save money.',
    'ok, start implementing',
    'What should I do?',
    '我总是感觉很累。',
    '我不知道应该送什么礼物。',
  ])('does not bind: %s', (sentence) => {
    expect(isStanding(sentence)).toBe(false)
  })
})

describe('collectInstructions', () => {
  test('takes the sentence word for word, and nothing around it', () => {
    expect(instructionsOf('Great work. Never push to main, e.g. on Fridays! What next?')).toEqual([
      'Never push to main, e.g. on Fridays!',
    ])
  })

  test('not from code, quotes, data and what programs put into the message', () => {
    const text =
      '```\nnever do this\n```\n> always that\n{"rule": "never"}\n<system-reminder>Never mention this.</system-reminder>\nhello'
    expect(instructionsOf(text)).toEqual([])
    expect(instructionsOf('<task-notification>x</task-notification>\nNever do it.')).toEqual([])
  })

  test('of a long paste only the ends', () => {
    const paste = 'Chapter: you must always obey the king.\n'.repeat(500)
    expect(instructionsOf(`Never quote this.\n${paste}Always be brief.`).length).toBeLessThanOrEqual(12)
    expect(instructionsOf(`Never quote this.\n${paste}`)).toContain('Never quote this.')
  })
})

describe('collectDecisions', () => {
  test('what was settled, by whoever settled it', () => {
    expect(
      decisionsOf(
        user("Let's go with PostgreSQL for the store."),
        assistant('Agreed. The root cause was a **stale** lock.\nLet me look at the files.'),
      ),
    ).toEqual([
      { text: "Let's go with PostgreSQL for the store.", note: undefined, by: 'user' },
      { text: 'The root cause was a stale lock.', note: undefined, by: 'assistant' },
    ])
  })

  test('a yes with what it answers', () => {
    const proposal =
      'I found two ways. The second one keeps the old files for reference, so that you can compare them while I clean up. Should I start with it?'
    expect(decisionsOf(assistant(proposal), user('yes, do it'))).toEqual([
      {
        text: 'The second one keeps the old files for reference, so that you can compare them while I clean up. Should I start with it?',
        note: 'user: yes, do it',
        by: 'user',
      },
    ])
  })

  test('a yes to a question that proposes nothing settles nothing', () => {
    expect(decisionsOf(assistant('Could you tell me your user id?'), user('Sure, it is 12.'))).toEqual([])
    expect(decisionsOf(assistant('Swimming is healthy.'), user('Okay, thank you.'))).toEqual([])
  })
})

function instructionsOf(text: string) {
  return extractFacts(items(user(text))).flatMap((fact) => (fact.kind === 'instruction' ? [fact.text] : []))
}

function decisionsOf(...messages: readonly Message[]) {
  return extractFacts(items(...messages)).flatMap(({ kind, text, note, by }) =>
    kind === 'decision' ? [{ text, note, by }] : [],
  )
}
