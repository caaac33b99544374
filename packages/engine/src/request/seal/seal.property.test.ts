import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { findNewestUserMessage } from '../../messages/turns.ts'
import { arbitraryEntries } from '../../testing/arbitrary-conversation.ts'
import { deepFreeze } from '../../testing/deep-freeze.ts'
import { findInvalid } from '../../testing/find-invalid.ts'
import { estimateMessage } from '../../tokens/estimate-message.ts'
import { UNCALIBRATED } from '../../tokens/meter.ts'
import type { MessageEntry } from '../../transcript/entry.ts'
import { foldEntries } from '../fold/fold-log.ts'
import { measureEnvironment } from '../view/environment.ts'
import type { Environment } from '../view/environment.ts'
import { createView } from '../view/view.ts'
import { bytesOf } from './measure-bytes.ts'
import { sealParts } from './seal-text.ts'
import { sealRequest } from './seal.ts'
import type { SealedRequest } from './sealed-request.ts'

const policies = fc.constantFrom(...Object.values(PRESETS))
const environments: fc.Arbitrary<Environment> = fc.record({
  system: fc.option(fc.lorem({ maxCount: 40 })),
  files: fc.constantFrom([], [{ name: 'AGENTS.md', text: 'Be brief.' }]),
  tools: fc.constantFrom([], [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }]),
})
/** Bills of the arbitrary entries are made up; here the estimates alone count. */
const withoutBills = (entries: readonly MessageEntry[]): readonly MessageEntry[] =>
  entries.map(({ usage: _usage, anchor: _anchor, ...entry }) => entry)

/** What was sent, by estimate. Roles may add a sentence of ours at either end. */
const ADDED_TOKENS = 30

function sizeOf({ messages }: SealedRequest, estimator: 'plain' | 'classes'): number {
  return messages.reduce((sum, { parts }) => sum + estimateMessage({ role: 'user', parts }, estimator), 0)
}

describe('sealRequest, for any conversation', () => {
  it('MICRO-05 is valid to send, the same twice, and changes nothing of what is stored', () => {
    fc.assert(
      fc.property(
        arbitraryEntries(),
        policies,
        environments,
        fc.option(fc.nat({ max: 3_000 })),
        (entries, policy, environment, limit) => {
          const before = JSON.stringify(entries)
          const view = createView(foldEntries(deepFreeze(entries)), policy)
          const context = { environment, model: null, calibration: UNCALIBRATED, estimator: policy.estimator }
          const input = { view, context, maxTokens: limit, maxBytes: limit === null ? null : limit * 8 }
          const sealed = sealRequest(input)
          expect(findInvalid(sealed)).toEqual([])
          expect(sealRequest(input)).toEqual(sealed)
          expect(JSON.stringify(entries)).toBe(before)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('ONE-14 fits whenever system prompt, tools and the newest user message do', () => {
    fc.assert(
      fc.property(
        arbitraryEntries(),
        policies,
        environments,
        fc.integer({ min: 30, max: 3_000 }),
        (entries, policy, environment, limit) => {
          const { estimator } = policy
          const state = foldEntries(withoutBills(entries))
          const view = createView(state, policy)
          const context = { environment, model: null, calibration: UNCALIBRATED, estimator }
          const sealed = sealRequest({ view, context, maxTokens: limit, maxBytes: null })
          const messages = view.items.map((item) => item.message)
          const newest = messages[findNewestUserMessage(messages)]
          const around = measureEnvironment(environment, estimator).tokens
          // Half a surrogate pair is replaced, and what stands for it may weigh a token more or less.
          const forms = newest === undefined ? [] : [newest, { ...newest, parts: sealParts(newest.parts) }]
          const needed = [around, ...forms.map((message) => around + estimateMessage(message, estimator))]
          if (Math.max(...needed) <= limit) expect(sealed.fits).toBe(true)
          if (Math.min(...needed.slice(-2)) > limit) expect(sealed.fits).toBe(false)
          if (!sealed.fits) return
          expect(around + sizeOf(sealed, estimator)).toBeLessThanOrEqual(limit + ADDED_TOKENS)
          const sent = new Set(sealed.messages.flatMap(({ parts }) => parts.map((part) => JSON.stringify(part))))
          const said = newest?.parts.filter((part) => part.type !== 'text' || part.text.trim() !== '') ?? []
          for (const part of sealParts(said)) expect(sent).toContain(JSON.stringify(part))
        },
      ),
      { numRuns: 300 },
    )
  })

  it('stays within its bytes whenever the newest user message does', () => {
    fc.assert(
      fc.property(arbitraryEntries(), fc.integer({ min: 200, max: 20_000 }), (entries, maxBytes) => {
        const environment = { system: 'You help.', files: [], tools: [] }
        const view = createView(foldEntries(withoutBills(entries)), PRESETS.longhaul)
        const context = { environment, model: null, calibration: UNCALIBRATED, estimator: 'plain' } as const
        const sealed = sealRequest({ view, context, maxTokens: null, maxBytes })
        expect(sealed.fits).toBe(sealed.bytes <= maxBytes)
        const messages = view.items.map((item) => item.message)
        const newest = messages[findNewestUserMessage(messages)]
        if (bytesOf(newest?.parts ?? []) + 300 <= maxBytes) expect(sealed.fits).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
