import { readFileSync } from 'node:fs'
import { PRESETS, truncateToolOutput } from '@longhaul/engine/advanced'
import type { ContextPolicy, MessageEntry, Part, PresetName } from '@longhaul/engine/advanced'
import { readTranscripts } from '@longhaul/store'
import { describe, expect, test } from 'vitest'
import { driveSession, findInvalid } from '@longhaul/engine/testing'
import type { DrivenSession } from '@longhaul/engine/testing'
import { describeWithDataSet } from './data-sets.ts'

const FILES = [
  'pi/before-compaction.jsonl',
  'claude-code/258c7280.jsonl',
  'claude-code/4d5611e5.jsonl',
  'claude-code/subagent.jsonl',
  'claude-code/tool_heavy.jsonl',
  'tau-bench/airline-50.jsonl',
  'memorybank/en.jsonl',
  'memorybank/zh.jsonl',
]
const WINDOWS = [16_000, 32_000, 128_000, 200_000]
const presets = Object.keys(PRESETS) as PresetName[]

/** Every request of a real conversation, as each preset would have made it. */
for (const file of FILES) {
  describeWithDataSet(`real conversations, ${file}`, file, (path) => {
    const sessions = readTranscripts(readFileSync(path, 'utf8')).slice(0, 5)
    describe.each(presets)('%s', (preset) => {
      test.each(WINDOWS)('ONE-03 OPEN-15 every request is valid and fits %i tokens', async (windowTokens) => {
        for (const { entries } of sessions) {
          const messages = entries.filter((entry) => entry.type === 'message')
          const before = JSON.stringify(messages)
          await replay(messages, PRESETS[preset], windowTokens)
          expect(JSON.stringify(messages) === before, 'originals are untouched').toBe(true)
        }
      })
    })
  })
}

async function replay(messages: readonly MessageEntry[], policy: ContextPolicy, windowTokens: number): Promise<void> {
  const session = driveSession({ policy, windowTokens, ask })
  const maxChars = session.context().limits?.toolResultMaxChars ?? policy.toolResults.maxChars
  for (const [index, message] of messages.entries()) {
    const { role, usage, model } = message
    const parts = message.parts.map((part) => truncate(part, maxChars, policy))
    session.append({
      type: 'message',
      role,
      parts,
      at: message.at,
      ...(usage && { usage }),
      ...(model && { model }),
    } as never)
    const next = messages[index + 1]?.role
    if (role === 'assistant') {
      if (next !== 'tool') await session.maintain('after-response')
    } else if (next === 'assistant') {
      await session.maintain(role === 'user' ? 'before-turn' : 'before-step')
      checkRequest(session)
    }
  }
}

function checkRequest(session: DrivenSession): void {
  const { limits } = session.context()
  const sealed = session.seal()
  expect(findInvalid(sealed)).toEqual([])
  expect(sealed.fits).toBe(true)
  if (sealed.tokens.tokens !== null) expect(sealed.tokens.tokens).toBeLessThanOrEqual(limits?.inputTokens ?? Infinity)
}

function truncate(part: Part, maxChars: number, { toolResults }: ContextPolicy): Part {
  if (part.type !== 'tool-result') return part
  return { ...part, output: truncateToolOutput(part.output, { maxChars, keep: toolResults.keep }).output }
}

function ask(): Promise<{ text: string; finish: 'stop' }> {
  return Promise.resolve({
    text: '<summary>The work so far is described here: files were read, some were changed, and tests were run.</summary>',
    finish: 'stop',
  })
}
