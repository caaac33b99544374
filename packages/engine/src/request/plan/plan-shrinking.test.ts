import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import type { PresetName } from '../../policy/presets.ts'
import { assistant, call, result, tool, user } from '../../testing/build-conversation.ts'
import { driveSession } from '../../testing/drive-session.ts'
import type { DrivenSession } from '../../testing/drive-session.ts'
import type { Message } from '../../transcript/message.ts'
import { estimateView } from '../view/measure-view.ts'
import { createTrimEntry } from './plan-entries.ts'
import { planFallbacks, planShrinking, planTrimming } from './plan-shrinking.ts'
import type { PlannedStep } from './planned-step.ts'

const words = (tokens: number): string => 'x'.repeat(tokens * 4)
const turns = (count: number, tokens: number): readonly Message[] =>
  Array.from({ length: count }, () => [user(words(tokens)), assistant(words(tokens))]).flat()

function start(preset: PresetName, messages: readonly Message[]): DrivenSession {
  const session = driveSession({ policy: PRESETS[preset], windowTokens: 200_000 })
  for (const message of messages) session.append({ type: 'message', ...message })
  return session
}

const used = (session: DrivenSession): number =>
  estimateView(session.view(), { ...session.context(), estimator: session.context().policy.estimator })
const fallbacks = (session: DrivenSession): readonly PlannedStep[] =>
  planFallbacks(session.context(), { reason: 'window', tokensBefore: used(session) })

function carryOut(session: DrivenSession): PlannedStep | undefined {
  const step = fallbacks(session).at(-1)
  if (step?.action === 'trim') session.append(createTrimEntry(step.trim, session.context()))
  return step
}

describe('planFallbacks', () => {
  it('ONE-14 oneclaw: the oldest messages go until the request is well under the threshold', () => {
    const session = start('oneclaw', turns(10, 10_000))
    expect(used(session)).toBeGreaterThan(170_000)
    expect(carryOut(session)).toMatchObject({ action: 'trim', reason: 'summary-failed', trim: { note: null } })
    expect(used(session)).toBeLessThanOrEqual(170_000 * 0.8)
    expect(used(session)).toBeGreaterThan(120_000)
    expect(session.view().items[0]?.id).toBe('e8')
  })

  it('OPEN-13 openclaw: the same, and a note says how many are gone', () => {
    const session = start('openclaw', turns(10, 10_000))
    carryOut(session)
    expect(session.state().head.base.note).toBe('Context contained 6 messages. Summary unavailable.')
    for (const message of turns(3, 10_000)) session.append({ type: 'message', ...message })
    carryOut(session)
    expect(session.state().head.base.note).toBe('Context contained 12 messages. Summary unavailable.')
    expect(JSON.stringify(session.seal().messages[0])).toContain('Context contained 12 messages. Summary unavailable.')
  })

  it('MICRO-09 micro: down to its number of messages, and under the threshold', () => {
    const session = start('micro', turns(40, 1_500))
    carryOut(session)
    expect(session.view().items.length).toBeLessThanOrEqual(50)
    expect(used(session)).toBeLessThanOrEqual(80_000)
    expect(session.view().items[0]?.id).toBe('e1')
  })

  it.each(['threshold', 'manual', 'prepared'] as const)(
    'MICRO-11 micro: 50 messages stay as they are (%s)',
    (reason) => {
      const session = start('micro', turns(25, 2_000))
      expect(used(session)).toBeGreaterThan(80_000)
      expect(planFallbacks(session.context(), { reason, tokensBefore: used(session) })).toEqual([])
    },
  )

  it('MICRO-11 micro: of more than 50 messages, only the excess goes, whatever the tokens', () => {
    const session = start('micro', turns(30, 2_000))
    const [step] = planFallbacks(session.context(), { reason: 'threshold', tokensBefore: used(session) })
    if (step?.action === 'trim') session.append(createTrimEntry(step.trim, session.context()))
    expect(session.view().items).toHaveLength(50)
    expect(used(session)).toBeGreaterThan(80_000)
  })

  it.each(['window', 'model-switch', 'overflow'] as const)('MICRO-11 micro: %s forces more', (reason) => {
    const session = start('micro', turns(25, 3_900))
    const [step] = planFallbacks(session.context(), { reason, tokensBefore: used(session) })
    expect(step).toMatchObject({ action: 'trim', reason: 'summary-failed' })
  })

  it('MICRO-11 micro: where no summary can be had, a session goes on with all it has until the window is full', async () => {
    const session = driveSession({ policy: PRESETS.micro, windowTokens: 200_000 })
    for (const message of turns(20, 4_000)) {
      session.append({ type: 'message', ...message })
      await session.maintain('before-turn')
    }
    expect(used(session)).toBeGreaterThan(150_000)
    expect(session.entries.map(({ type }) => type)).not.toContain('trim')
    expect(session.view().items).toHaveLength(40)
  })

  it('longhaul: a summary by rules first, the oldest messages left out last', () => {
    const long = 'word '.repeat(10_000)
    const said = Array.from({ length: 10 }, () => [user(long), assistant(long)]).flat()
    const session = start('longhaul', said)
    expect(fallbacks(session)).toMatchObject([
      { action: 'compact', compaction: { strategy: 'extractive' } },
      { action: 'compact', compaction: { strategy: 'extractive', move: { firstKept: { id: 'e20' } } } },
      { action: 'trim' },
    ])
    const tokensBefore = used(session)
    expect(planFallbacks(session.context(), { reason: 'manual', tokensBefore })).toHaveLength(1)
  })

  it('are none where nothing can go', () => {
    expect(fallbacks(start('oneclaw', [user(words(190_000))]))).toEqual([])
    expect(fallbacks(start('oneclaw', turns(2, 10)))).toEqual([])
  })

  it('goes on where an earlier trim carried a message that is no longer the newest', () => {
    const session = start('oneclaw', [
      ...turns(1, 10),
      user(words(60_000)),
      assistant(call('a')),
      tool(result('a', words(150_000))),
    ])
    carryOut(session)
    expect(session.state().head.base.carried).toHaveLength(1)
    for (const message of [assistant(words(60_000)), user(words(60_000))])
      session.append({ type: 'message', ...message })
    expect(carryOut(session)?.action).toBe('trim')
    expect(used(session)).toBeLessThanOrEqual(170_000)
    expect(session.state().carried).toEqual([])
  })
})

describe('planShrinking', () => {
  it('OPEN-14 takes instructions and a strategy of its own', () => {
    const { context } = start('openclaw', turns(4, 10_000))
    expect(
      planShrinking(context(), { reason: 'manual', tokensBefore: 5, instructions: 'be brief', strategy: 'mine' }),
    ).toMatchObject({
      action: 'compact',
      reason: 'manual',
      strategy: 'mine',
      instructions: 'be brief',
      tokensBefore: 5,
      epoch: 0,
    })
  })

  it('stands on the base in force', () => {
    const session = start('oneclaw', turns(10, 10_000))
    carryOut(session)
    expect(planShrinking(session.context(), { reason: 'manual', tokensBefore: 5 })).toMatchObject({
      epoch: 21,
      move: { previous: { id: 'e21', seq: 21 } },
    })
  })
})

it('OPEN-15 planTrimming leaves out as much as it is told', () => {
  const { context } = start('oneclaw', turns(4, 100))
  const plan = planTrimming(context(), { reason: 'overflow', usedTokens: 800, dropTokens: 250, dropMessages: 0 })
  expect(plan).toMatchObject({ reason: 'overflow', tokensBefore: 800, move: { firstKept: { id: 'e4' } } })
})
