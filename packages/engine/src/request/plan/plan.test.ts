import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckPoint } from '../../compaction/trigger.ts'
import { PRESETS } from '../../policy/presets.ts'
import type { PresetName } from '../../policy/presets.ts'
import type { CompactionPolicy } from '../../policy/policy.ts'
import { arbitraryMessages } from '../../testing/arbitrary-conversation.ts'
import { assistant, call, result, tool, user } from '../../testing/build-conversation.ts'
import { driveSession } from '../../testing/drive-session.ts'
import type { DrivenSession } from '../../testing/drive-session.ts'
import { findInvalid } from '../../testing/find-invalid.ts'
import type { Message } from '../../transcript/message.ts'
import { planNext } from './plan.ts'
import type { Plan } from './planned-step.ts'

interface Options {
  readonly windowTokens?: number | null
  readonly change?: Partial<CompactionPolicy>
  readonly summary?: string | null
}

function start(
  preset: PresetName,
  { windowTokens = 200_000, change = {}, summary = 'good' }: Options = {},
): DrivenSession {
  const policy = { ...PRESETS[preset], compaction: { ...PRESETS[preset].compaction, ...change } }
  const text = '<summary>The user asked for several things, and they were done.</summary>'
  const ask = () =>
    summary === null ? Promise.reject(new Error('down')) : Promise.resolve({ text, finish: 'stop' as const })
  return driveSession({ policy, windowTokens, ask })
}

function say(session: DrivenSession, ...messages: readonly Message[]): void {
  for (const message of messages) session.append({ type: 'message', ...message })
}

/** An answer whose bill says exactly how big the context is from here on. */
function billed(session: DrivenSession, tokens: number): void {
  session.append({
    type: 'message',
    ...assistant('ok'),
    usage: { input: tokens - 5, output: 5 },
    anchor: session.seal().anchor,
  })
}

const words = (tokens: number): string => 'x'.repeat(tokens * 4)
const turns = (count: number, tokens: number): readonly Message[] =>
  Array.from({ length: count }, () => [user(words(tokens)), assistant(words(tokens))]).flat()
const NOW = 1_700_000_000_000
const look = (session: DrivenSession, checkPoint: CheckPoint, now = NOW): Plan =>
  planNext({ ...session.context(), checkPoint, now })
const done = ({ entries }: DrivenSession): string =>
  entries.flatMap(({ type }) => (type === 'message' ? [] : [type])).join(' ')

describe('when', () => {
  it('ONE-10 after a complete response above 85 %: not at it, and never in between', () => {
    for (const [tokens, action] of [
      [170_000, 'proceed'],
      [170_001, 'compact'],
    ] as const) {
      const session = start('oneclaw')
      say(session, ...turns(2, 40_000), user('go'))
      billed(session, tokens)
      expect(look(session, 'after-response').action).toBe(action)
      expect(look(session, 'before-step').action).toBe('proceed')
      expect(look(session, 'before-turn').action).toBe('proceed')
    }
  })

  it('MICRO-03 above 80,000, after the user’s message and after tool results', () => {
    const session = start('micro')
    say(session, ...turns(8, 1_000), user('go'))
    billed(session, 79_000)
    say(session, user(words(1_001)))
    expect(look(session, 'before-turn')).toMatchObject({ action: 'compact', reason: 'threshold' })
    say(session, assistant(call('a')), tool(result('a', 'done')))
    expect(look(session, 'before-step').action).toBe('compact')
    expect(look(session, 'after-response').action).toBe('proceed')
  })

  it('ONE-09 a smaller window: compacted before the next request, although the policy looks after responses', async () => {
    const session = start('oneclaw')
    session.append({ type: 'model-change', model: 'a/large' })
    say(session, ...turns(3, 10_000))
    session.append({ type: 'message', ...assistant('ok'), model: 'a/large' })
    expect(look(session, 'before-turn').action).toBe('proceed')
    session.append({ type: 'model-change', model: 'b/small' })
    session.setWindow(32_000)
    say(session, user('next'))
    expect(look(session, 'before-turn')).toMatchObject({ action: 'compact', reason: 'model-switch' })
    expect((await session.maintain('before-turn')).action).toBe('proceed')
    expect(session.seal().fits).toBe(true)
    expect(session.seal().repairs.map(({ kind }) => kind)).toEqual(['message-added'])
  })

  it('OPEN-11 enabled: false stops what is automatic; by hand it still compacts', async () => {
    const session = start('openclaw', {
      change: { enabled: false, memoryFlush: PRESETS.oneclaw.compaction.memoryFlush },
    })
    say(session, ...turns(5, 30_000))
    expect(look(session, 'after-response').action).toBe('proceed')
    expect(await session.compact()).toBe(true)
  })

  it.each([
    ['oneclaw', 'window-unknown', null],
    ['openclaw', 'fits', 200_000],
    ['micro', 'fits', 200_000],
    ['spec008', 'fits', 200_000],
    ['longhaul', 'fits', 200_000],
  ] as const)('LH-05 an unknown window: %s', (preset, reason, windowTokens) => {
    const session = start(preset, { windowTokens: null })
    say(session, user('hi'))
    expect(look(session, 'before-turn')).toMatchObject({ action: 'proceed', reason, numbers: { windowTokens } })
  })

  it('ONE-15 oneclaw with an unknown window does nothing however long it gets', () => {
    const session = start('oneclaw', { windowTokens: null })
    say(session, ...turns(10, 100_000))
    for (const checkPoint of ['before-turn', 'before-step', 'after-response'] as const) {
      expect(look(session, checkPoint)).toMatchObject({ action: 'proceed', reason: 'window-unknown' })
    }
  })

  it('ONE-15 says so where all is protected', () => {
    const session = start('oneclaw')
    say(session, user(words(10)))
    billed(session, 180_000)
    expect(look(session, 'after-response')).toMatchObject({ action: 'proceed', reason: 'nothing-to-free' })
  })
})

describe('in which order', () => {
  it('OPEN-08 flush, then compact, and one flush a cycle', async () => {
    const session = start('openclaw')
    say(session, ...turns(5, 18_100))
    await session.maintain('after-response')
    expect(done(session)).toBe('flush compaction')
    say(session, ...turns(5, 18_100))
    await session.maintain('after-response')
    expect(done(session)).toBe('flush compaction flush compaction')
  })

  it('OPEN-08 the flush comes first: between its threshold and that of the compaction it runs alone, once', async () => {
    const session = start('openclaw')
    say(session, ...turns(3, 20_000), user('go'))
    billed(session, 176_001)
    await session.maintain('after-response')
    await session.maintain('after-response')
    expect(done(session)).toBe('flush')
  })

  it('OPEN-08 a flush of the cycle still counts when its compaction is undone', async () => {
    const session = start('openclaw')
    say(session, ...turns(5, 18_100))
    await session.maintain('after-response')
    session.append({ type: 'compaction-undone', compaction: session.state().head.base.entry?.id ?? '' })
    session.append({ type: 'flush', outcome: 'silent' })
    await session.maintain('after-response')
    expect(done(session)).toBe('flush compaction compaction-undone flush')
  })

  it('OPEN-08 longhaul saves beside the conversation, from before a summary is prepared; with a compaction due it comes first', () => {
    for (const [tokens, saving] of [
      [146_000, undefined],
      [146_001, 'beside'],
      [160_001, 'beside'],
    ] as const) {
      const session = start('longhaul')
      say(session, ...turns(3, 20_000), user('go'))
      billed(session, tokens)
      for (const checkPoint of ['before-turn', 'before-step'] as const) {
        const plan = look(session, checkPoint)
        expect(plan.action === 'flush' ? plan.timing : undefined).toBe(saving)
      }
    }
  })

  it('OPEN-08 longhaul saves after a reply as well, when nobody waits', () => {
    const session = start('longhaul')
    say(session, ...turns(3, 20_000), user('go'))
    billed(session, 146_001)
    expect(look(session, 'after-response')).toMatchObject({ action: 'flush', timing: 'beside' })
  })

  it('SPEC-03 flush and compaction run before the user’s turn', async () => {
    const session = start('spec008')
    say(session, ...turns(9, 10_100))
    expect(look(session, 'after-response').action).toBe('proceed')
    say(session, user('next'))
    await session.maintain('before-turn')
    expect(done(session)).toBe('flush compaction')
  })

  it('pruning comes before all of it, and may be enough', async () => {
    const session = start('spec008')
    say(session, user('go'))
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) say(session, assistant(call(id)), tool(result(id, words(30_000))))
    say(session, user('next'))
    expect(look(session, 'before-turn').action).toBe('prune')
    await session.maintain('before-turn')
    expect(done(session)).toBe('prune')
  })
})

/** Past the threshold, after three failed summaries; `strategy` is the one planned next. */
function breakLonghaul() {
  const session = start('longhaul', { change: { memoryFlush: PRESETS.oneclaw.compaction.memoryFlush } })
  const fail = (): void => session.append({ type: 'maintenance-failed', work: 'compaction', reason: 'down' })
  const strategy = (): string | null => {
    const plan = look(session, 'after-response', session.now())
    return plan.action === 'compact' ? plan.compaction.strategy : null
  }
  const long = user('word '.repeat(60_000))
  say(session, long, assistant('done'), long, assistant('done'), user('go'))
  billed(session, 170_000)
  expect(strategy()).toBe('longhaul')
  for (let failure = 0; failure < 3; failure += 1) fail()
  return { session, fail, strategy }
}

describe('what holds it back', () => {
  it('the breaker: after three failures no summary is asked for, the fallback takes over', async () => {
    const session = start('oneclaw', { summary: null })
    say(session, ...turns(3, 30_000))
    for (let failure = 0; failure < 3; failure += 1) {
      expect(look(session, 'after-response').action).toBe('compact')
      session.append({ type: 'maintenance-failed', work: 'compaction', reason: 'down' })
    }
    expect(look(session, 'after-response')).toMatchObject({ action: 'trim', reason: 'summary-failed' })
    session.append({ type: 'model-change', model: 'b/two' })
    expect(look(session, 'after-response').action).toBe('compact')
  })

  it('the breaker: after an hour one more try, and then another rest or none', () => {
    const session = start('oneclaw', { summary: null })
    const fail = () => session.append({ type: 'maintenance-failed', work: 'compaction', reason: 'down' })
    const at = (now: number): string => look(session, 'after-response', now).action
    say(session, ...turns(3, 30_000))
    for (let failure = 0; failure < 3; failure += 1) fail()
    expect(at(NOW + 3_599_999)).toBe('trim')
    expect(at(NOW + 3_600_000)).toBe('compact')
    session.wait(3_600_000)
    fail()
    expect(at(NOW + 3_600_000)).toBe('trim')
    expect(at(NOW + 7_200_000)).toBe('compact')
  })

  it('the breaker, longhaul: a summary by rules, twice where the window forces it, and a trim where those failed too', () => {
    const { session, fail, strategy } = breakLonghaul()
    expect(strategy()).toBe('extractive')
    fail()
    expect(look(session, 'after-response')).toMatchObject({ action: 'proceed', reason: 'nothing-to-free' })
    say(session, user('and then'))
    billed(session, 199_000)
    const tried = Array.from({ length: 4 }, () => {
      const { action } = look(session, 'before-turn')
      fail()
      return action
    })
    expect(tried).toEqual(['compact', 'compact', 'trim', 'trim'])
  })

  it('the breaker, longhaul: when the try after the rest fails, no fallback is passed over', () => {
    const { session, fail, strategy } = breakLonghaul()
    expect(strategy()).toBe('extractive')
    session.wait(3_600_000)
    expect(strategy()).toBe('longhaul')
    fail()
    expect(strategy()).toBe('extractive')
    fail()
    expect(strategy()).toBeNull()
  })

  it('the breaker, longhaul: fallbacks that fail every half hour do not keep the hourly try away', () => {
    const { session, fail, strategy } = breakLonghaul()
    const tried = Array.from({ length: 5 }, () => {
      const name = strategy()
      fail()
      session.wait(1_800_000)
      say(session, user('and then'))
      billed(session, 170_000)
      return name
    })
    expect(tried).toEqual(['extractive', 'extractive', 'longhaul', 'extractive', 'longhaul'])
  })

  it('an undo: exempt until the hard limit', async () => {
    const session = start('oneclaw')
    say(session, ...turns(3, 28_500))
    await session.maintain('after-response')
    session.append({ type: 'compaction-undone', compaction: session.state().head.base.entry?.id ?? '' })
    expect(look(session, 'after-response')).toMatchObject({ action: 'proceed', numbers: { thresholdTokens: 191_808 } })
    say(session, user(words(25_000)))
    expect(look(session, 'before-turn')).toMatchObject({ action: 'compact', reason: 'window' })
  })
})

describe('preparing', () => {
  it('starts at prepareRatio, at the epoch it holds for; past the breaker it does not', () => {
    const session = start('longhaul', { change: { memoryFlush: PRESETS.oneclaw.compaction.memoryFlush } })
    session.append({ type: 'model-change', model: 'a/one' })
    say(session, user('word '.repeat(60_000)), assistant('done'), user('go'))
    billed(session, 150_001)
    expect(look(session, 'after-response')).toMatchObject({
      action: 'compact',
      timing: 'ahead',
      reason: 'prepared',
      compaction: { reason: 'prepared', epoch: 1, tokensBefore: 150_001 },
    })
    for (let failure = 0; failure < 3; failure += 1)
      session.append({ type: 'maintenance-failed', work: 'compaction', reason: '' })
    expect(look(session, 'after-response').action).toBe('proceed')
  })
})

describe('MICRO-09 at most 50 messages', () => {
  it('the request holds no more; pairs and the first user message stay', async () => {
    const session = start('micro', { windowTokens: null })
    say(session, user('the task'))
    for (let step = 0; step < 40; step += 1) say(session, assistant(call(`c${step}`)), tool(result(`c${step}`)))
    expect(look(session, 'after-response').action).toBe('proceed')
    expect((await session.maintain('before-step')).action).toBe('proceed')
    expect(done(session)).toBe('trim')
    const sealed = session.seal()
    expect(sealed.messages.length).toBeLessThanOrEqual(50)
    expect(sealed.messages[0]).toMatchObject({ role: 'user', parts: [{ text: 'the task' }] })
    expect(findInvalid(sealed)).toEqual([])
    expect(sealed.repairs).toEqual([])
  })

  it('calls that were interrupted count with the note that stands for their result', async () => {
    const session = start('micro')
    say(session, user('the task'))
    for (let step = 0; step < 24; step += 1) say(session, assistant(call(`c${step}`)), user(`go on ${step}`))
    expect(session.view().items).toHaveLength(49)
    await session.maintain('before-turn')
    expect(session.seal().messages.length).toBeLessThanOrEqual(50)
  })

  it('results in messages of their own count once: they are sent as one', () => {
    const session = start('micro')
    say(session, user('the task'))
    for (let step = 0; step < 20; step += 1) {
      const [a, b] = [`a${step}`, `b${step}`]
      say(session, assistant(call(a), call(b)), tool(result(a)), tool(result(b)))
    }
    expect(session.view().items).toHaveLength(61)
    expect(look(session, 'before-step').action).toBe('proceed')
    expect(session.seal().messages).toHaveLength(41)
  })

  it('for any conversation', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryMessages(60), async (messages) => {
        const session = start('micro')
        say(session, user('the task'), ...messages, user('next'))
        await session.maintain('before-turn')
        const sealed = session.seal()
        expect(sealed.messages.length).toBeLessThanOrEqual(50)
        expect(sealed.messages[0]?.parts[0]).toEqual({ type: 'text', text: 'the task' })
        expect(findInvalid(sealed)).toEqual([])
      }),
    )
  })

  it('exactly 50 are left alone', () => {
    const session = start('micro')
    say(session, user('the task'), assistant('a'), ...turns(24, 1))
    expect(look(session, 'before-turn').action).toBe('proceed')
    say(session, user('one more'))
    expect(look(session, 'before-turn')).toMatchObject({ action: 'trim', reason: 'max-messages' })
  })
})

it('a message that can never fit blocks at once, before anything is summarised', () => {
  const session = start('oneclaw', { windowTokens: 16_000 })
  say(session, ...turns(3, 5_000), user(words(20_000)))
  expect(look(session, 'before-turn')).toMatchObject({
    action: 'block',
    reason: 'cannot-fit',
    culprit: { kind: 'message' },
  })
  expect(look(session, 'after-response').action).toBe('compact')
})

it('prints its numbers', () => {
  const session = start('oneclaw')
  say(session, user('x'.repeat(400)), user('hi'))
  expect(look(session, 'after-response').numbers).toEqual({
    tokens: 103,
    source: 'estimated',
    windowTokens: 200_000,
    thresholdTokens: 170_000,
    messages: 2,
  })
})
