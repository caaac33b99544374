import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { assistant, user } from '../../testing/build-conversation.ts'
import { cleared, prune } from '../../testing/build-entries.ts'
import { driveSession } from '../../testing/drive-session.ts'
import type { DrivenSession } from '../../testing/drive-session.ts'
import { createPruneEntry, createTrimEntry } from './plan-entries.ts'
import { planTrimming } from './plan-shrinking.ts'

const words = (tokens: number): string => 'x'.repeat(tokens * 4)

function start(): DrivenSession {
  const session = driveSession({ policy: PRESETS.oneclaw, windowTokens: 200_000 })
  for (const message of [user(words(1_000)), assistant(words(1_000)), user(words(1_000))])
    session.append({ type: 'message', ...message })
  return session
}

describe('entries of a plan', () => {
  it('a trim entry says what it left: measured, counted on top of earlier trims, with the summary in force', () => {
    const session = start()
    const plan = planTrimming(session.context(), {
      reason: 'overflow',
      usedTokens: 3_002,
      dropTokens: 500,
      dropMessages: 0,
    })
    if (plan === null) throw new Error('nothing was planned')
    const entry = createTrimEntry(plan, session.context())
    expect(entry).toMatchObject({
      type: 'trim',
      reason: 'overflow',
      dropped: 1,
      summary: null,
      tokensBefore: 3_002,
      tokensAfter: 2_002,
    })
    session.append(entry)
    const next = planTrimming(session.context(), {
      reason: 'overflow',
      usedTokens: 2_002,
      dropTokens: 500,
      dropMessages: 0,
    })
    expect(next === null ? null : createTrimEntry(next, session.context()).dropped).toBe(2)
  })

  it('a prune entry repeats the decisions, never the content', () => {
    const { decisions } = prune(cleared(3))
    expect(createPruneEntry({ reason: 'why', decisions, freedTokens: 1, freedChars: 1 })).toEqual({
      type: 'prune',
      reason: 'why',
      decisions,
    })
  })
})
