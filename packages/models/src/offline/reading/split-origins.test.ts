import { PRESETS, UNCALIBRATED, createView, foldEntries, sealRequest } from '@longhaul/engine/advanced'
import type { Entry, PresetName } from '@longhaul/engine/advanced'
import { describe, expect, it } from 'vitest'
import { splitOrigins } from './split-origins.ts'

const SUMMARY = 'The port is 9417.\n\nIt was changed twice.'

/** The words around a summary are the engine's; this fails when they change there. */
describe.each(Object.keys(PRESETS) as PresetName[])('a summary as %s places it', (preset) => {
  it('is told from what the user and the system prompt say', () => {
    const pieces = sealWithSummary(preset).flatMap(({ role, text }) => splitOrigins(text, role))
    expect(pieces.filter(({ origin }) => origin === 'summary').map(({ text }) => text.trim())).toEqual([SUMMARY])
    expect(pieces.find(({ origin }) => origin === 'pin')?.text).toContain('Answer in French.')
    const others = pieces.filter(({ origin }) => origin === 'user' || origin === 'system')
    expect(others.map(({ text }) => text)).toEqual(expect.arrayContaining(['Be kind.', 'And now?']))
    expect(others.some(({ text }) => text.includes('9417'))).toBe(false)
  })
})

it('a text that only mentions the words is left alone', () => {
  const text = 'What does "[Summary of the conversation so far." mean?'
  expect(splitOrigins(text, 'user')).toEqual([{ origin: 'user', text }])
})

function sealWithSummary(preset: PresetName): readonly { role: 'system' | 'user'; text: string }[] {
  const policy = PRESETS[preset]
  const entries: Entry[] = [
    { type: 'message', seq: 1, id: 'm1', at: 1, role: 'user', parts: [{ type: 'text', text: 'The port is 9417.' }] },
    { type: 'message', seq: 2, id: 'm2', at: 2, role: 'assistant', parts: [{ type: 'text', text: 'Fine.' }] },
    { type: 'pin', seq: 3, id: 'p1', at: 3, text: 'Answer in French.' },
    {
      type: 'compaction',
      seq: 4,
      id: 'c1',
      at: 4,
      fromSeq: 5,
      firstKept: null,
      carried: [],
      previous: null,
      tokensBefore: 100,
      tokensAfter: 10,
      document: {
        version: 1,
        sections: [{ title: '', items: [{ id: 's', text: SUMMARY, sources: [], status: 'open' }] }],
      },
      reason: 'manual',
      strategy: 'summarize',
      model: null,
    },
    { type: 'message', seq: 5, id: 'm5', at: 5, role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
  ]
  const environment = { system: 'Be kind.', files: [], tools: [] }
  const { system, messages } = sealRequest({
    view: createView(foldEntries(entries), policy),
    context: { environment, model: null, calibration: UNCALIBRATED, estimator: policy.estimator },
    maxTokens: null,
    maxBytes: null,
  })
  const texts = messages.flatMap(({ role, parts }) =>
    parts.flatMap((part) => (part.type === 'text' && role !== 'assistant' ? [{ role, text: part.text }] : [])),
  )
  return [{ role: 'system' as const, text: system ?? '' }, ...texts] as { role: 'system' | 'user'; text: string }[]
}
