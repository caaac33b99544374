import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskModel } from '../compaction/strategy.ts'
import { pairTools } from '../messages/tool-pairs.ts'
import { parsePolicy } from '../policy/parse-policy.ts'
import type { ContextPolicy } from '../policy/policy.ts'
import { PRESETS } from '../policy/presets.ts'
import type { PresetName } from '../policy/presets.ts'
import { arbitraryMessages, arbitraryText } from '../testing/arbitrary-conversation.ts'
import { driveSession } from '../testing/drive-session.ts'
import type { DrivenSession } from '../testing/drive-session.ts'
import { findInvalid } from '../testing/find-invalid.ts'
import type { Message } from '../transcript/message.ts'
import { foldEntries } from './fold/fold-log.ts'
import { findNeededEntries, openState } from './fold/open-state.ts'
import { findCulprit } from './plan/find-culprit.ts'
import { planUndo } from './plan/plan-undo.ts'
import { createView } from './view/view.ts'

type Operation =
  | { readonly do: 'say'; readonly messages: readonly Message[] }
  | { readonly do: 'answer'; readonly text: string; readonly reasoning: boolean; readonly billShare: number }
  | { readonly do: 'maintain'; readonly at: 'before-turn' | 'before-step' | 'after-response' }
  | { readonly do: 'compact' | 'compact-undo' | 'undo' | 'reset' | 'unpin' }
  | { readonly do: 'pin'; readonly text: string }
  | { readonly do: 'switch'; readonly model: string; readonly windowTokens: number | null }
  | { readonly do: 'wait'; readonly ms: number }

const WINDOWS = [null, 2_000, 4_000, 8_000, 16_000, 32_000, 200_000] as const

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: arbitraryMessages(4).map((messages) => ({ do: 'say' as const, messages })) },
  {
    weight: 4,
    arbitrary: fc
      .record({
        text: arbitraryText(),
        reasoning: fc.boolean(),
        billShare: fc.double({ min: 0.7, max: 1, noNaN: true }),
      })
      .map((fields) => ({ do: 'answer' as const, ...fields })),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom('before-turn' as const, 'before-step' as const, 'after-response' as const)
      .map((at) => ({ do: 'maintain' as const, at })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('compact' as const, 'compact-undo' as const, 'undo' as const, 'reset' as const, 'unpin' as const)
      .map((name) => ({ do: name })),
  },
  { weight: 1, arbitrary: fc.lorem({ maxCount: 5 }).map((text) => ({ do: 'pin' as const, text })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a/one', 'b/two'), fc.constantFrom(...WINDOWS))
      .map(([model, windowTokens]) => ({ do: 'switch' as const, model, windowTokens })),
  },
  { weight: 1, arbitrary: fc.nat({ max: 900_000 }).map((ms) => ({ do: 'wait' as const, ms })) },
)

const GOOD_SUMMARY = '<summary>The user asked for several things. The files were read and one was changed.</summary>'

/** A summariser that is sometimes good and often not: the engine must cope with each of these. */
const REPLIES = [
  GOOD_SUMMARY,
  GOOD_SUMMARY,
  '',
  'Sure! I can help you with that. What would you like to do next?',
  '<tool_call>{"name":"read"}</tool_call>',
  '{"error":{"message":"overloaded"}}',
  `<summary>${'word '.repeat(5_000)}</summary>`,
  null,
]

/** Policies at the edge of what makes sense: nothing kept, one message at most, compaction off, a heavy memory of pins. */
const EXTREMES: readonly [string, PresetName, object][] = [
  ['no message kept', 'micro', { compaction: { keepMessages: 0 } }],
  ['no turn kept', 'spec008', { compaction: { keepTurns: 0, minMessages: 0 } }],
  ['no token kept', 'openclaw', { compaction: { keepRecentTokens: 0 } }],
  ['one message a request', 'micro', { compaction: { maxMessages: 1 } }],
  ['compaction off', 'longhaul', { compaction: { enabled: false } }],
  ['no strategy', 'micro', { compaction: { strategy: 'none' } }],
  [
    'pruning at once',
    'longhaul',
    { contextPruning: { softTrimRatio: 0.01, hardClearRatio: 0.02, minPrunableToolChars: 0 } },
  ],
]

describe('a session under random use', () => {
  it.each(Object.keys(PRESETS) as PresetName[])('MICRO-05 ONE-03 ONE-15 keeps every invariant with %s', (preset) =>
    expectInvariants(PRESETS[preset], 120),
  )

  it.each(EXTREMES)('LH-04 OPEN-11 keeps every invariant with %s', (_, preset, patch) =>
    expectInvariants(parsePolicy(PRESETS[preset], patch), 50),
  )
})

async function expectInvariants(policy: ContextPolicy, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { maxLength: 25, size: 'max' }),
      fc.constantFrom(...WINDOWS),
      fc.array(fc.constantFrom(...REPLIES), { minLength: 1, maxLength: 8 }),
      async (operations, windowTokens, replies) => {
        const session = driveSession({ policy, windowTokens, ask: scriptedAsk(replies) })
        const originals: string[] = []
        for (const step of operations) {
          await perform(session, step)
          while (originals.length < session.entries.length)
            originals.push(JSON.stringify(session.entries[originals.length]))
          checkRequest(session)
          checkPins(session)
        }
        expect(session.entries.map((entry) => JSON.stringify(entry))).toEqual(originals)
        checkMoves(session)
        checkRestart(session)
      },
    ),
    { numRuns, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
  )
}

function scriptedAsk(replies: readonly (string | null)[]): AskModel {
  let next = 0
  return () => {
    const text = replies[next % replies.length] ?? null
    next += 1
    return text === null ? Promise.reject(new Error('scripted failure')) : Promise.resolve({ text, finish: 'stop' })
  }
}

async function perform(session: DrivenSession, step: Operation): Promise<void> {
  switch (step.do) {
    case 'say':
      for (const { role, parts } of step.messages) session.append({ type: 'message', role, parts })
      return
    case 'answer':
      return answer(session, step)
    case 'maintain': {
      const { action } = await session.maintain(step.at)
      const entries = session.entries.length
      if (action === 'compact') return // it failed, and so did the fallback; the next look may try again
      await session.maintain(step.at)
      expect(session.entries.length, 'a second look finds nothing left to do').toBe(entries)
      return
    }
    case 'compact':
      await session.compact()
      return
    case 'compact-undo':
      return compactAndUndo(session)
    case 'undo': {
      const plan = planUndo(session.context())
      if (plan.action !== 'undo') return
      for (const compaction of plan.undone) session.append({ type: 'compaction-undone', compaction })
      return
    }
    case 'reset':
      session.append({ type: 'reset' })
      return
    case 'pin':
      session.append({ type: 'pin', text: step.text })
      return
    case 'unpin': {
      const pin = session.state().head.pins[0]
      if (pin !== undefined) session.append({ type: 'unpin', pin: pin.id })
      return
    }
    case 'switch':
      session.append({ type: 'model-change', model: step.model })
      session.setWindow(step.windowTokens)
      return
    case 'wait':
      session.wait(step.ms)
      return
    default:
      return step satisfies never
  }
}

/** Bills are at most the estimate here, so that what fits by estimate fits by bill. */
function answer(session: DrivenSession, { text, reasoning, billShare }: Operation & { do: 'answer' }): void {
  const { anchor, tokens } = session.seal()
  const { model } = session.state().head
  session.append({
    type: 'message',
    role: 'assistant',
    parts: [...(reasoning ? [{ type: 'reasoning' as const, text: 'hm' }] : []), { type: 'text', text }],
    usage: { input: Math.round((tokens.tokens ?? 0) * billShare), output: Math.ceil(text.length / 4) },
    anchor,
    ...(model === null ? {} : { model }),
  })
}

/** A summary that was prepared is put in place first, so a call of `compact` can make two compactions; one is undone. */
async function compactAndUndo(session: DrivenSession): Promise<void> {
  const { base } = session.state().head
  await session.compact()
  const { entry } = session.state().head.base
  if (entry === null || entry === base.entry) return
  const before = session.entries.filter(({ seq }) => seq < entry.seq)
  session.append({ type: 'compaction-undone', compaction: entry.id })
  expect(session.view()).toEqual(createView(foldEntries(before), session.context().policy))
}

function checkRequest(session: DrivenSession): void {
  const sealed = session.seal()
  expect(findInvalid(sealed)).toEqual([])
  expect(session.seal().bytesHash).toBe(sealed.bytesHash)
  const { limits } = session.context()
  if (limits !== null && findCulprit(session.context()) === null && sealed.tokens.source === 'estimated') {
    expect(sealed.fits).toBe(true)
    expect(sealed.tokens.tokens).toBeLessThanOrEqual(limits.inputTokens)
  }
}

function checkPins(session: DrivenSession): void {
  const texts = session
    .view()
    .items.flatMap(({ message }) => message.parts.map((part) => (part.type === 'text' ? part.text : '')))
  for (const pin of session.state().head.pins) expect(texts.some((text) => text.includes(pin.text))).toBe(true)
}

/** Every move of the base shrinks the context and separates no call from a result that was there. */
function checkMoves(session: DrivenSession): void {
  session.entries.forEach((entry, index) => {
    if (entry.type !== 'compaction' && entry.type !== 'trim') return
    if (entry.type === 'compaction') expect(entry.tokensAfter).toBeLessThan(entry.tokensBefore)
    const visible = createView(foldEntries(session.entries.slice(0, index)), PRESETS.oneclaw).items
    const messages = visible.filter((item) => item.entry !== null)
    const isKept = (place: number): boolean => (messages[place]?.entry?.seq ?? 0) >= entry.fromSeq
    for (const { callMessage, answer: result } of pairTools(messages.map((item) => item.message))) {
      if (result !== null) expect(isKept(callMessage)).toBe(isKept(result.message))
    }
  })
}

/** Folding all entries anew, and opening from the head with the needed entries alone, give the same view. */
function checkRestart(session: DrivenSession): void {
  const { policy } = session.context()
  const view = session.view()
  expect(createView(foldEntries(session.entries), policy)).toEqual(view)
  const { head } = session.state()
  const { fromSeq, seqs } = findNeededEntries(head.base)
  const needed = session.entries.filter(({ seq }) => seq >= fromSeq || seqs.includes(seq))
  const stored = JSON.parse(JSON.stringify({ head, needed })) as { head: typeof head; needed: unknown[] }
  expect(createView(openState(stored.head, stored.needed), policy)).toEqual(view)
}
