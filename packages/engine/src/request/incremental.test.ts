import { describe, expect, it } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import { driveSession } from '../testing/drive-session.ts'
import type { TextPart } from '../transcript/message.ts'
import { planNext } from './plan/plan.ts'

/** A text that counts how often it is read. */
function countedText(text: string, reads: { count: number }): TextPart {
  return {
    type: 'text',
    get text() {
      reads.count += 1
      return text
    },
  }
}

describe('work per turn', () => {
  it('ONE-06 the check after a response reads what is new and nothing else, at any length', () => {
    const session = driveSession({ policy: PRESETS.longhaul, windowTokens: 200_000 })
    const old = { count: 0 }
    const check = () => planNext({ ...session.context(), checkPoint: 'after-response', now: 0 })
    for (let turn = 0; turn < 500; turn += 1) {
      session.append({ type: 'message', role: 'user', parts: [countedText(`question ${turn}`, old)] })
      session.append({ type: 'message', role: 'assistant', parts: [countedText(`answer ${turn}`, old)] })
    }
    check()
    old.count = 0
    const fresh = { count: 0 }
    session.append({ type: 'message', role: 'user', parts: [countedText('one more question', fresh)] })
    const plan = check()
    expect(plan.numbers.messages).toBe(1_001)
    expect(fresh.count).toBeGreaterThan(0)
    expect(old.count).toBe(0)
  })
})
