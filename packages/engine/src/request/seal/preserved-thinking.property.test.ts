import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { arbitraryMessages } from '../../testing/arbitrary-conversation.ts'
import { cleared, prune } from '../../testing/build-entries.ts'
import { driveSession } from '../../testing/drive-session.ts'
import type { DrivenSession } from '../../testing/drive-session.ts'
import type { Message } from '../../transcript/message.ts'
import { contextItems } from '../plan/session-context.ts'
import { planUndo } from '../plan/plan-undo.ts'
import type { SealedRequest } from './sealed-request.ts'

type Step = { readonly say: readonly Message[] } | 'answer' | 'prune' | 'compact' | 'undo' | 'pin' | 'unpin'

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: arbitraryMessages(3).map((say) => ({ say })) },
  { weight: 5, arbitrary: fc.constant<Step>('answer') },
  { weight: 3, arbitrary: fc.constantFrom<Step>('prune', 'compact', 'undo', 'pin', 'unpin') },
)
const summary = { text: '<summary>The user asked for things, and they were done.</summary>', finish: 'stop' } as const

/**
 * Providers bind a reasoning block to everything before it and refuse it behind anything else: a 400 that no retry
 * cures. So wherever a block is sent, what stands before it must be the request it was the answer to, byte for byte.
 */
it('reasoning is sent only behind the very request that it answered', async () => {
  let sent = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(PRESETS)),
      fc.constantFrom(1_500, 6_000, 200_000),
      fc.array(steps, { minLength: 2, maxLength: 25, size: 'max' }),
      async (policy, windowTokens, list) => {
        const session = driveSession({ policy, windowTokens, ask: () => Promise.resolve(summary) })
        const answered = new Map<string, readonly string[]>()
        for (const step of list) {
          await perform(session, step, answered)
          const request = flatten(session.seal())
          request.forEach((part, place) => {
            const before = answered.get(part)
            if (before === undefined) return
            sent += 1
            expect(request.slice(0, place)).toEqual(before)
          })
        }
      },
    ),
    { numRuns: 150 },
  )
  expect(sent).toBeGreaterThan(100)
})

async function perform(session: DrivenSession, step: Step, answered: Map<string, readonly string[]>): Promise<void> {
  const { pins } = session.state().head
  if (typeof step === 'object') for (const { role, parts } of step.say) session.append({ type: 'message', role, parts })
  else if (step === 'answer') answer(session, answered)
  else if (step === 'prune') {
    const results = contextItems(session.state()).filter(({ entry }) => entry.role === 'tool')
    session.append(prune(...results.slice(0, 2).map(({ entry }) => cleared(entry.seq))))
  } else if (step === 'compact') await session.compact()
  else if (step === 'undo') {
    const plan = planUndo(session.context())
    const undone = plan.action === 'undo' ? plan.undone : []
    for (const compaction of undone) session.append({ type: 'compaction-undone', compaction })
  } else if (step === 'pin') session.append({ type: 'pin', text: 'keep this' })
  else if (pins[0] !== undefined) session.append({ type: 'unpin', pin: pins[0].id })
}

function answer(session: DrivenSession, answered: Map<string, readonly string[]>): void {
  const sealed = session.seal()
  const thought = { type: 'reasoning', text: `thought ${session.entries.length}` } as const
  session.append({
    type: 'message',
    role: 'assistant',
    parts: [thought, { type: 'text', text: 'an answer' }],
    usage: { input: sealed.tokens.tokens ?? 1, output: 10 },
    anchor: sealed.anchor,
  })
  answered.set(`assistant ${JSON.stringify(thought)}`, flatten(sealed))
}

function flatten({ system, messages }: SealedRequest): readonly string[] {
  return [
    `system ${system}`,
    ...messages.flatMap(({ role, parts }) => parts.map((part) => `${role} ${JSON.stringify(part)}`)),
  ]
}
