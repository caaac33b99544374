import { PRESETS, renderDocument } from '@longhaul/engine/advanced'
import type { AskModel, Message, PresetName } from '@longhaul/engine/advanced'
import { describe, expect, it } from 'vitest'
import { createOfflineModel } from '../create-offline-model.ts'
import { askOffline } from '../testing/ask-offline.ts'
import { askForSummary } from '../testing/ask-for-summary.ts'
import { user } from '../testing/build-prompt.ts'
import { compactConversation } from '../testing/compact-conversation.ts'

const FILLER = 'The header is too tall on small screens, and the footer hides behind the keyboard of most phones. '

/** Said early, corrected later, with enough in between for several compactions. */
const CONVERSATION: readonly Message[] = [
  ...talk('My dog is called Biscuit and I live in Lisbon.', 'Nice to meet you both.'),
  ...talk('The staging server listens on port 9417.', 'Good to know.'),
  ...talk('Never touch the file legacy/billing.pl, accounting depends on it.', 'I will leave it alone.'),
  ...Array.from({ length: 60 }, (_, index) =>
    talk(`Step ${index}: ${FILLER.repeat(6)}`, `Done with it. ${FILLER}`),
  ).flat(),
  ...talk('The staging server now listens on port 9555.', 'Changed.'),
  ...Array.from({ length: 60 }, (_, index) =>
    talk(`Part ${index}: ${FILLER.repeat(6)}`, `Done with it. ${FILLER}`),
  ).flat(),
]

describe.each<PresetName>(['longhaul', 'oneclaw', 'openclaw'])('%s with the offline model', (preset) => {
  it('compacts again and again, and what was said first can still be asked', async () => {
    const model = createOfflineModel({ windowTokens: 16_000 })
    const options = { policy: PRESETS[preset], windowTokens: 16_000, ask: askForSummary(model) }
    const { outcomes, request } = await compactConversation(CONVERSATION, options)
    expect(outcomes.length).toBeGreaterThan(1)
    expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => 'compacted'))
    const texts = request.messages.flatMap(({ role, parts }) =>
      parts.flatMap((part) => (role !== 'assistant' && part.type === 'text' ? [part.text] : [])),
    )
    const ask = async (question: string): Promise<string> =>
      (
        await askOffline(
          { prompt: [{ role: 'system', content: request.system ?? '' }, user(...texts, question)] },
          model,
        )
      ).text
    expect(await ask('What is the name of my dog?')).toContain('Biscuit')
    expect(await ask('Which file must not be touched?')).toContain('legacy/billing.pl')
    const port = await ask('Which port does staging use?')
    expect(port).toContain('9555')
    expect(port).not.toContain('9417')
  })
})

it('does not say again what the notes say, and rewrites what has changed', async () => {
  const replies: string[] = []
  const offline = askForSummary(createOfflineModel())
  const ask: AskModel = async (request, signal) => {
    const reply = await offline(request, signal)
    replies.push(reply.text)
    return reply
  }
  const { outcomes } = await compactConversation(CONVERSATION, { policy: PRESETS.longhaul, windowTokens: 16_000, ask })
  const [first = '', ...later] = replies
  expect(first).toMatch(/^\+ \w+: My dog is called Biscuit and I live in Lisbon\. \(#\d+\)$/m)
  expect(later.some((reply) => reply.includes('Biscuit'))).toBe(false)
  expect(later.join('\n')).toMatch(/^~ i\d+: The staging server now listens on port 9555\. \(#\d+\)$/m)
  const last = outcomes.findLast((outcome) => outcome.kind === 'compacted')
  const rewritten = last?.entry.document.sections
    .flatMap(({ items }) => items)
    .find(({ text }) => text.includes('9555'))
  // What it says now, and what it said before.
  expect(rewritten?.sources).toHaveLength(2)
  expect(renderDocument(last?.entry.document ?? { version: 1, sections: [] })).not.toContain('9417')
})

it('says little within little room', async () => {
  const lengths: number[] = []
  const offline = askForSummary(createOfflineModel())
  const ask: AskModel = async (request, signal) => {
    const reply = await offline({ ...request, maxOutputTokens: 120 }, signal)
    expect(reply.finish).toBe('stop')
    lengths.push(reply.usage?.output ?? Infinity)
    return reply
  }
  await compactConversation(CONVERSATION, { policy: PRESETS.oneclaw, windowTokens: 16_000, ask })
  expect(lengths.length).toBeGreaterThan(0)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(120)
})

function talk(said: string, answered: string): readonly Message[] {
  return [
    { role: 'user', parts: [{ type: 'text', text: said }] },
    { role: 'assistant', parts: [{ type: 'text', text: answered }] },
  ]
}
