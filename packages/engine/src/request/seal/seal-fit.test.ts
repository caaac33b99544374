import { describe, expect, it } from 'vitest'
import { assistant, call, image, result, text, tool, user } from '../../testing/build-conversation.ts'
import { estimateMessage } from '../../tokens/estimate-message.ts'
import type { Message } from '../../transcript/message.ts'
import type { Draft } from './draft.ts'
import { fitDrafts } from './seal-fit.ts'
import type { Repair } from './sealed-request.ts'

const MEDIA = '[Left out: the request was too large.]'
const RESULT = '[Tool result left out: the request was too large.]'
const long = (chars: number): string => 'x'.repeat(chars)
const draft = (message: Message, kind: Draft['kind'] = message.role): Draft => ({ ...message, kind, place: 'message' })
const summary = (chars: number): Draft => draft(user(long(chars)), 'summary')
const pin = (words: string): Draft => draft(user(words), 'pin')

/** Sizes are characters / 4, so a limit of 100 holds 400 characters. */
function fit(limit: number, ...drafts: readonly (Draft | Message)[]) {
  const repairs: Repair[] = []
  const given = drafts.map((one) => ('kind' in one ? one : draft(one)))
  const sizeOf = (message: Message): number => estimateMessage(message, 'plain')
  const { drafts: fitted, total } = fitDrafts(given, { unit: 'tokens', limit, fixed: 10, sizeOf }, repairs)
  return { fitted, total, repairs: repairs.map(({ kind, detail }) => `${kind} ${detail}`), given }
}

const outputs = (drafts: readonly Draft[]): readonly unknown[] =>
  drafts.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])))
const kinds = (drafts: readonly Draft[]): string => drafts.map(({ kind }) => kind).join(' ')

describe('fitDrafts takes away, least dear first', () => {
  it('nothing where all fits: the very same drafts', () => {
    const { fitted, given, repairs, total } = fit(100, user('a'), assistant('b'), user('c'))
    expect(fitted).toEqual(given)
    fitted.forEach((one, index) => expect(one).toBe(given[index]))
    expect([repairs, total]).toEqual([[], 13])
  })

  it('first images of old messages, oldest first, and no more of them than needed', () => {
    const big = image({ width: 750, height: 100 })
    const { fitted, repairs } = fit(250, user('a', big), assistant('b'), user('c', big), assistant('d'), user('e', big))
    expect(fitted.map(({ parts }) => parts.some((part) => part.type === 'image'))).toEqual([
      false,
      false,
      true,
      false,
      true,
    ])
    expect(fitted[0]?.parts[1]).toEqual(text(MEDIA))
    expect(repairs).toEqual(['media-left-out user, tokens'])
  })

  it('then old results; those of the exchange under way stay', () => {
    const turns = [
      user('a'),
      assistant(call('a')),
      tool(result('a', long(800))),
      user('b'),
      assistant(call('b')),
      tool(result('b', long(800))),
    ]
    expect(outputs(fit(300, ...turns).fitted)).toEqual([RESULT, long(800)])
  })

  it('then old messages, a call together with its results', () => {
    const turns = [
      user(long(400)),
      assistant(long(400), call('a')),
      tool(result('a', 'x')),
      user('b'),
      assistant(call('b')),
      tool(result('b', 'y')),
    ]
    const { fitted, repairs } = fit(40, ...turns)
    expect(kinds(fitted)).toBe('user assistant tool')
    expect(repairs).toEqual(['message-left-out user, tokens', 'message-left-out assistant, tokens'])
  })

  it('then the results of the exchange under way: cut, then left out', () => {
    const turns = [user('a'), assistant(call('a')), tool(result('a', long(8_000)))]
    expect(outputs(fit(600, ...turns).fitted)).toEqual([long(2_000)])
    expect(outputs(fit(100, ...turns).fitted)).toEqual([RESULT])
  })

  it('a result of images never becomes empty, and a mixed one says what is missing', () => {
    const shot = [image({ width: 750, height: 2_000 })]
    expect(outputs(fit(100, user('a'), assistant(call('a')), tool(result('a', shot))).fitted)).toEqual([MEDIA])
    const mixed = [text(long(3_000)), ...shot]
    const [output] = outputs(fit(600, user('a'), assistant(call('a')), tool(result('a', mixed))).fitted)
    expect(output).toBe(long(2_000))
    const short = outputs(fit(100, user('a'), assistant(call('a')), tool(result('a', [text('seen'), ...shot]))).fitted)
    expect(short).toEqual([`seen\n${MEDIA}`])
  })

  it('then the exchange under way, then half of the summary, then the summary, then pins', () => {
    const all = [summary(1_000), pin(long(200)), user('ask'), assistant(long(400))]
    expect(kinds(fit(350, ...all).fitted)).toBe('summary pin user')
    const half = fit(200, ...all).fitted
    expect(kinds(half)).toBe('summary pin user')
    expect(half[0]?.parts).toEqual([text(`${long(500)}…`)])
    expect(kinds(fit(100, ...all).fitted)).toBe('pin user')
    expect(kinds(fit(20, ...all).fitted)).toBe('user')
  })

  it('never the newest user message, however large', () => {
    const { fitted, total } = fit(20, user('old'), assistant('b'), user(long(4_000), image()))
    expect(fitted.map(({ parts }) => parts)).toEqual([[text(long(4_000)), image()]])
    expect(total).toBeGreaterThan(20)
  })

  it('changes nothing of what it was given', () => {
    const { given } = fit(20, user('a', image()), assistant(call('a')), tool(result('a', [image()])), user('b'))
    expect(given.map(({ role, parts }) => ({ role, parts }))).toEqual([
      user('a', image()),
      assistant(call('a')),
      tool(result('a', [image()])),
      user('b'),
    ])
  })
})
