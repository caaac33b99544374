import type { PresetName } from '@longhaul/engine/advanced'
import type { WireReply } from '@longhaul/models/testing'
import { createInMemoryStore } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { ALL_PRESETS } from './describe-conversations.ts'
import { planOldFacts } from './plan-conversation.ts'
import { runConversation } from './run-conversation.ts'
import type { ConversationReport } from './run-conversation.ts'
import { startWireModel } from './start-wire-model.ts'
import { answerFromRequest } from './wire-brain.ts'

const WINDOW_TOKENS = 40_000
const FACTS = 10
const MIN_KNOWN = 9
const conversation = planOldFacts({ facts: FACTS, turns: 60, messageChars: 5_000, seed: 40 })

type Vendor = Parameters<typeof startWireModel>[0]

/** Asked at the end, the model answers from the request it gets, or calls `recall` and answers from what that finds. */
async function talk(preset: PresetName, vendor: Vendor, answer: WireReply): Promise<ConversationReport> {
  const window = { configuredTokens: WINDOW_TOKENS, windowTokens: WINDOW_TOKENS }
  const { models, close } = await startWireModel(vendor, window, answer)
  const store = createInMemoryStore()
  try {
    const report = await runConversation({ preset, models, store, conversation })
    const { fromContext, byRecall, errors, compactions, refusals, largestInput, unanswered } = report
    expect(errors).toEqual([])
    expect(fromContext + byRecall, unanswered.join('\n')).toBeGreaterThanOrEqual(MIN_KNOWN)
    expect(compactions).toBeGreaterThan(1)
    expect(refusals).toBe(0)
    expect(largestInput).toBeLessThanOrEqual(WINDOW_TOKENS)
    return report
  } finally {
    await store.close()
    await close()
  }
}

describe.each([
  ['Anthropic’s format', 'anthropic'],
  ['the format of servers like OpenAI’s', 'local'],
] as const)('after 60 turns of 5,000 characters in 40,000 tokens, in %s', (_format, vendor) => {
  it.each(ALL_PRESETS)('ONE-12 OPEN-15 %s still knows what was told at the start', async (preset) => {
    const { invalid, problems } = await talk(preset, vendor, answerFromRequest)
    expect(invalid).toEqual([])
    expect(problems).toEqual([])
  })

  it.each(ALL_PRESETS)('ONE-14 OPEN-21 %s still knows it where every third summary call fails', async (preset) => {
    let summaries = 0
    const { invalid } = await talk(preset, vendor, (request) => {
      const isSummary = !Array.isArray(request.body['tools'])
      if (isSummary && (summaries += 1) % 3 === 0) return { fault: 'http', status: 500, body: { error: 'down' } }
      return answerFromRequest(request)
    })
    expect(new Set(invalid)).toEqual(new Set(['unavailable']))
  })
})
