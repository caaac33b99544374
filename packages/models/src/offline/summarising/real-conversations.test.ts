import { readFileSync } from 'node:fs'
import { PRESETS } from '@longhaul/engine/advanced'
import type { PresetName } from '@longhaul/engine/advanced'
import { readTranscripts } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { describeWithDataSet } from '../../../../../test/data-sets.ts'
import { createOfflineModel } from '../create-offline-model.ts'
import { askForSummary } from '../testing/ask-for-summary.ts'
import { compactConversation } from '../testing/compact-conversation.ts'

const FILES = [
  'pi/before-compaction.jsonl',
  'claude-code/258c7280.jsonl',
  'claude-code/subagent.jsonl',
  'tau-bench/airline-50.jsonl',
  'memorybank/en.jsonl',
  'memorybank/zh.jsonl',
]
const PRESET_NAMES: readonly PresetName[] = ['longhaul', 'oneclaw']
/** Of a file with many conversations. */
const MAX_CONVERSATIONS = 6

for (const file of FILES) {
  describeWithDataSet(`offline summaries of real conversations, ${file}`, file, (path) => {
    const conversations = readTranscripts(readFileSync(path, 'utf8')).slice(0, MAX_CONVERSATIONS)
    describe.each(PRESET_NAMES)('%s', (preset) => {
      it.each([16_000, 128_000])('ONE-14 are accepted by the engine in a window of %i tokens', async (windowTokens) => {
        const ask = askForSummary(createOfflineModel({ windowTokens }))
        let accepted = 0
        for (const { entries } of conversations) {
          const messages = entries.filter((entry) => entry.type === 'message')
          const { outcomes } = await compactConversation(messages, { policy: PRESETS[preset], windowTokens, ask })
          const problems = outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? outcome.problems : []))
          // A short conversation may weigh less than the ledger that code keeps beside any summary.
          expect(problems.filter((problem) => !problem.startsWith('not-smaller'))).toEqual([])
          accepted += outcomes.filter(({ kind }) => kind === 'compacted').length
        }
        expect(accepted).toBeGreaterThan(0)
      })
    })
  })
}
