import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { assistant, text, user } from '../../testing/build-conversation.ts'
import { driveSession } from '../../testing/drive-session.ts'
import type { DrivenSession } from '../../testing/drive-session.ts'
import type { CompactionPlan } from '../../compaction/compaction-plan.ts'
import { isStillValid } from './is-still-valid.ts'
import { planShrinking } from './plan-shrinking.ts'

function prepared(): { session: DrivenSession; plan: CompactionPlan } {
  const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 4_000 })
  for (let turn = 0; turn < 8; turn += 1) {
    session.append({ type: 'message', ...user(text(`question ${turn} ${'word '.repeat(100)}`)) })
    session.append({ type: 'message', ...assistant(text(`answer ${turn} ${'word '.repeat(100)}`)) })
  }
  const plan = planShrinking(session.context(), { reason: 'prepared', tokensBefore: 3_000 })
  if (plan.action !== 'compact') throw new Error('nothing to prepare')
  return { session, plan }
}

describe('work prepared beside the conversation', () => {
  it('is committed after more was said, and keeps what was said', async () => {
    const { session, plan } = prepared()
    session.append({ type: 'message', ...user(text('said while the summary was written')) })
    session.append({ type: 'pin', text: 'pinned meanwhile' })
    expect(isStillValid(plan, session.state())).toBe(true)
    session.append({
      type: 'compaction',
      ...plan.move,
      document: { version: 1, sections: [] },
      reason: 'prepared',
      strategy: 'longhaul',
      model: null,
      tokensBefore: 3_000,
      tokensAfter: 1_000,
    })
    const sent = JSON.stringify(session.seal().messages)
    expect(sent).toContain('said while the summary was written')
    expect(sent).toContain('pinned meanwhile')
    expect(sent).not.toContain('question 0')
  })

  it('is void once the base moved or the model changed', async () => {
    const moved = prepared()
    moved.session.append({ type: 'reset' })
    expect(isStillValid(moved.plan, moved.session.state())).toBe(false)
    const switched = prepared()
    switched.session.append({ type: 'model-change', model: 'a/other' })
    expect(isStillValid(switched.plan, switched.session.state())).toBe(false)
  })
})
