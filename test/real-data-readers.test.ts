import { readFileSync } from 'node:fs'
import { readTranscripts, writeTranscript } from '@longhaul/store'
import type { ImportedSession } from '@longhaul/store'
import { expect, test } from 'vitest'
import { describeWithDataSet } from './data-sets.ts'

/** What is known of each file from counting its lines another way. */
interface Expected {
  readonly format: ImportedSession['format']
  readonly sessions: number
  readonly messages: { readonly user: number; readonly assistant: number; readonly tool: number }
  readonly billed: number
  readonly compactions: readonly { readonly tokensBefore: number; readonly keptFrom: number | null }[]
  readonly callsWithoutResult: number
}

const talk = { user: 566, assistant: 566, tool: 0 }
const nothing = { billed: 0, compactions: [], callsWithoutResult: 0 }
const expectations: Readonly<Record<string, Expected>> = {
  'pi/before-compaction.jsonl': {
    format: 'pi',
    sessions: 1,
    messages: { user: 58, assistant: 484, tool: 448 },
    billed: 471,
    compactions: [
      { tokensBefore: 175004, keptFrom: 289 },
      { tokensBefore: 185014, keptFrom: 547 },
    ],
    callsWithoutResult: 6,
  },
  'claude-code/258c7280.jsonl': {
    format: 'claude-code',
    sessions: 1,
    messages: { user: 7, assistant: 152, tool: 186 },
    billed: 152,
    compactions: [{ tokensBefore: 167094, keptFrom: null }],
    callsWithoutResult: 0,
  },
  'claude-code/4d5611e5.jsonl': {
    format: 'claude-code',
    sessions: 1,
    messages: { user: 3, assistant: 139, tool: 150 },
    billed: 139,
    compactions: [{ tokensBefore: 170251, keptFrom: null }],
    callsWithoutResult: 0,
  },
  'claude-code/short.jsonl': {
    ...nothing,
    format: 'claude-code',
    sessions: 1,
    messages: { user: 2, assistant: 1, tool: 2 },
    billed: 1,
  },
  'claude-code/subagent.jsonl': {
    ...nothing,
    format: 'claude-code',
    sessions: 1,
    messages: { user: 4, assistant: 12, tool: 16 },
    billed: 12,
  },
  'claude-code/tool_heavy.jsonl': {
    ...nothing,
    format: 'claude-code',
    sessions: 1,
    messages: { user: 7, assistant: 4, tool: 6 },
    billed: 4,
  },
  'tau-bench/airline-50.jsonl': {
    ...nothing,
    format: 'openai-chat',
    sessions: 50,
    messages: { user: 410, assistant: 642, tool: 282 },
  },
  'memorybank/en.jsonl': { ...nothing, format: 'ai-sdk', sessions: 15, messages: talk },
  'memorybank/zh.jsonl': { ...nothing, format: 'ai-sdk', sessions: 15, messages: talk },
}

for (const [name, expected] of Object.entries(expectations)) {
  describeWithDataSet(`readers on ${name}`, name, (path) => {
    const sessions = readTranscripts(readFileSync(path, 'utf8'))

    test('finds every message, bill and compaction', () => {
      expect(summarise(sessions)).toEqual(expected)
      expect(sessions.flatMap(({ skipped }) => skipped)).toEqual([])
    })

    test('OPEN-01 survives an export and an import unchanged', () => {
      for (const session of sessions) {
        expect(readTranscripts(writeTranscript(session))).toEqual([{ ...session, format: 'longhaul' }])
      }
    })
  })
}

function summarise(sessions: readonly ImportedSession[]): Expected {
  const messages = { user: 0, assistant: 0, tool: 0 }
  const compactions: { tokensBefore: number; keptFrom: number | null }[] = []
  let billed = 0
  let callsWithoutResult = 0
  for (const { entries } of sessions) {
    const open = new Set<string>()
    for (const entry of entries) {
      if (entry.type === 'compaction') {
        const { tokensBefore, firstKept } = entry
        compactions.push({ tokensBefore, keptFrom: firstKept?.seq ?? null })
      }
      if (entry.type !== 'message') continue
      messages[entry.role] += 1
      if (entry.usage !== undefined) billed += 1
      for (const part of entry.parts) {
        if (part.type === 'tool-call') open.add(part.toolCallId)
        if (part.type === 'tool-result' && !open.delete(part.toolCallId))
          throw new Error(`no call for ${part.toolCallId}`)
      }
    }
    callsWithoutResult += open.size
  }
  const format = sessions[0]?.format ?? 'longhaul'
  return { format, sessions: sessions.length, messages, billed, compactions, callsWithoutResult }
}
