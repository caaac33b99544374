import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryText } from '../testing/arbitrary-conversation.ts'
import { checkSummary } from './check-summary.ts'
import type { SummaryMeasure } from './check-summary.ts'
import { BAD_REPLIES, GOOD_SUMMARIES } from '../testing/sample-replies.ts'

const ENGLISH =
  'I need to fix the build before the release. What is the right way to do it, and which of the files should I look at first? ' +
  'Please also check that the tests are run on the new host.'
const GERMAN =
  'Ich möchte den Dienst auf einen neuen Rechner umziehen. Was ist dafür der beste Weg, und welche Dateien muss ich mir ansehen? ' +
  'Bitte auch prüfen, ob die Tests dort laufen.'
const measure: SummaryMeasure = {
  userText: '',
  assistantText: '',
  replacedTokens: null,
  readTokens: null,
  estimator: 'plain',
}

function problemOf(
  text: string,
  more: Partial<SummaryMeasure> = {},
  finish: 'stop' | 'length' | 'tool-calls' | 'other' = 'stop',
) {
  const checked = checkSummary({ text, finish }, { ...measure, ...more })
  return checked.ok ? null : checked.problem
}

describe('good summaries pass', () => {
  test.each(Object.entries(GOOD_SUMMARIES))('%s, tagged and untagged', (_, summary) => {
    expect(checkSummary({ text: `<summary>\n${summary}\n</summary>`, finish: 'stop' }, measure)).toEqual({
      ok: true,
      text: summary,
    })
    expect(checkSummary({ text: summary, finish: 'stop' }, measure)).toEqual({ ok: true, text: summary })
  })
})

describe('replies that are no summaries fail', () => {
  const cases = Object.entries(BAD_REPLIES).flatMap(([problem, replies]) =>
    replies.map((reply) => [problem, JSON.stringify(reply.slice(0, 50)), reply] as const),
  )
  test.each(cases)('%s: %s', (problem, _, reply) => {
    expect(problemOf(reply)).toBe(problem)
  })

  test.each(BAD_REPLIES['answers-the-chat'].slice(0, 4))('tags do not help: %s', (reply) => {
    expect(problemOf(`<summary>${reply}</summary>`)).toBe('answers-the-chat')
  })
})

describe('extraction', () => {
  const summary = 'The user asked for a parser; it is done in `parse.ts`.'
  test.each([
    ['tags', `<summary>${summary}</summary>`],
    ['tags in capitals', `<SUMMARY>\n${summary}\n</SUMMARY>`],
    ['a missing end', `<summary>\n${summary}`],
    ['a missing beginning', `${summary}\n</summary>`],
    ['a preamble', `Sure, here is the summary:\n\n<summary>${summary}</summary>`],
    ['a preamble that mentions the tag', `I put it in <summary> tags.\n<summary>\n${summary}\n</summary>`],
    ['an afterword', `<summary>${summary}</summary>\nLet me know if you need more!`],
    ['a fence around the tags', `\`\`\`xml\n<summary>\n${summary}\n</summary>\n\`\`\``],
    ['a fence inside the tags', `<summary>\n\`\`\`markdown\n${summary}\n\`\`\`\n</summary>`],
    ['a fence and a missing end', `\`\`\`\n<summary>\n${summary}\n\`\`\``],
    ['a fence alone', `\`\`\`\n${summary}\n\`\`\``],
    ['thoughts before', `<think>The user wants…\n\nI will answer them.</think>\n<summary>${summary}</summary>`],
    ['an untagged preamble', `Here is a summary of the conversation so far:\n\n${summary}`],
    ['an obliging untagged preamble', `Certainly! Here is the summary:\n${summary}`],
  ])('reads through %s', (_, text) => {
    expect(checkSummary({ text, finish: 'stop' }, measure)).toEqual({ ok: true, text: summary })
  })

  test('keeps a summary element that the summary itself speaks of', () => {
    const about = 'The page uses <details><summary>More</summary>…</details> for its help.'
    expect(checkSummary({ text: `<summary>\n${about}\n</summary>`, finish: 'stop' }, measure)).toEqual({
      ok: true,
      text: about,
    })
  })
})

describe('finish', () => {
  const text = '<summary>The user asked for a parser.</summary>'

  test('ONE-14 a summary stopped by the output limit is cut off', () => {
    expect(problemOf(text, {}, 'length')).toBe('cut-off')
    expect(problemOf('<summary>The user asked for', {}, 'other')).toBe('cut-off')
  })

  test('ONE-14 a summary that ended in a tool call is none', () => {
    expect(problemOf(text, {}, 'tool-calls')).toBe('tool-syntax')
  })

  test('an end for an unknown reason is accepted if the tags are whole', () => {
    expect(problemOf(text, {}, 'other')).toBeNull()
  })
})

describe('language', () => {
  const german = GOOD_SUMMARIES['German bullets']
  const english = GOOD_SUMMARIES['an English narrative']
  const chinese = GOOD_SUMMARIES['Chinese prose']

  test('a summary in another language than the user’s is refused', () => {
    expect(problemOf(english, { userText: GERMAN })).toBe('wrong-language')
    expect(problemOf(chinese, { userText: ENGLISH })).toBe('wrong-language')
    expect(problemOf(german, { userText: ENGLISH, assistantText: ENGLISH })).toBe('wrong-language')
  })

  test('the same language passes', () => {
    expect(problemOf(english, { userText: ENGLISH })).toBeNull()
    expect(problemOf(german, { userText: GERMAN })).toBeNull()
  })

  test('it passes where either side is unsure, or the assistant writes it', () => {
    expect(problemOf(english, { userText: 'ja, bitte' })).toBeNull()
    expect(problemOf('Parser done: `parse.ts`, 12/12.', { userText: GERMAN })).toBeNull()
    expect(problemOf(english, { userText: GERMAN, assistantText: ENGLISH })).toBeNull()
  })

  test('it passes where the user asked for another language', () => {
    expect(problemOf(english, { userText: GERMAN, anyLanguage: true })).toBeNull()
  })
})

describe('length', () => {
  const text = 'The user asked for a parser, and it is done now.'

  test('a sentence that would replace a long history must at least be tagged as a summary', () => {
    expect(problemOf('All tests pass, credo is clean.', { readTokens: 2_000 })).toBe('too-short')
    expect(problemOf('All tests pass, credo is clean.', { readTokens: 1_999 })).toBeNull()
    expect(problemOf('<summary>All tests pass, credo is clean.</summary>', { readTokens: 90_000 })).toBeNull()
  })

  test('a summary no shorter than what it replaces is refused', () => {
    expect(problemOf(text, { replacedTokens: 12 })).toBe('not-shorter')
    expect(problemOf(text, { replacedTokens: 13 })).toBeNull()
    expect(problemOf(text, { replacedTokens: null })).toBeNull()
  })
})

describe('what is left of a refused summary', () => {
  const usableOf = (text: string, more: Partial<SummaryMeasure> = {}, finish: 'stop' | 'length' = 'stop') => {
    const checked = checkSummary({ text, finish }, { ...measure, ...more })
    return checked.ok ? 'not refused' : checked.usable
  }

  test('ONE-21 a short summary, and one in another language, can be used', () => {
    const short = 'All tests pass, credo is clean.'
    expect(usableOf(short, { readTokens: 2_000 })).toBe(short)
    const german = GOOD_SUMMARIES['German bullets']
    expect(usableOf(german, { userText: ENGLISH })).toBe(german)
  })

  test('ONE-21 of a summary that was cut off, its whole lines or sentences can be used', () => {
    expect(usableOf('<summary>\n+ Goal: a parser\n+ State: half of it is do', {}, 'length')).toBe('+ Goal: a parser')
    expect(usableOf('The user asked for a parser. It is don', {}, 'length')).toBe('The user asked for a parser.')
    expect(usableOf('用户要求写一个解析器。它已经写', {}, 'length')).toBe('用户要求写一个解析器。')
    expect(usableOf('<summary>The user asked for', {}, 'length')).toBeUndefined()
    expect(usableOf('', {}, 'length')).toBeUndefined()
  })

  test.each(Object.values(BAD_REPLIES).flat())('ONE-21 nothing of an empty or malformed one: %j', (reply) => {
    expect(usableOf(reply, { readTokens: 90_000 })).toBeUndefined()
    expect(usableOf(reply, { readTokens: 90_000 }, 'length')).toBeUndefined()
  })

  test('ONE-21 nor one that is no shorter than what it replaces', () => {
    const text = 'The user asked for a parser, and it is done now.'
    expect(usableOf(text, { replacedTokens: 12, readTokens: 2_000 })).toBeUndefined()
  })
})

test('every problem says what happened', () => {
  const checked = checkSummary({ text: '', finish: 'stop' }, measure)
  expect(checked).toEqual({ ok: false, problem: 'empty', message: 'The summary says nothing.' })
})

test('no reply makes it throw, and none makes it slow', () => {
  fc.assert(fc.property(arbitraryText(), (text) => void problemOf(text)))
  // Of the processor, not of the clock: other programs do not count.
  const started = process.cpuUsage()
  for (const unit of [
    'x',
    'x ',
    '`',
    '```\n',
    '"',
    '<summary>',
    '{"name":"input":',
    'User: a\n',
    '. ',
    '*',
    '[',
    '\n',
  ]) {
    problemOf(unit.repeat(100_000 / unit.length))
  }
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000)
})
