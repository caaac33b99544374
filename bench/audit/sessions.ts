import type { AgentSession, RecordedCompaction } from '@longhaul/audit'
import { createProseDocument } from '@longhaul/engine/advanced'
import type { CompactionEntry, Entry, MessageEntry } from '@longhaul/engine/advanced'
import type { ImportedSession } from '@longhaul/store/jsonl'
import { loadDataSets } from '../data-sets.ts'

/** Sessions whose own agents compacted them. */
const COMPACTED = ['claude-code/258c7280.jsonl', 'claude-code/4d5611e5.jsonl', 'pi/before-compaction.jsonl']
/** Sessions of other kinds; a compaction with a plain summary is put into them. */
const PLAIN = [
  'aider/aider-0-1.jsonl',
  'openhands/ponyc-4588.jsonl',
  'swe-agent/text.jsonl',
  'swe-agent/tool-calls.jsonl',
  'tau-bench/airline-50.jsonl',
  'memorybank/en.jsonl',
  'memorybank/zh.jsonl',
  'kdconv-zh/60.jsonl',
  'locomo/conv-26.jsonl',
  'locomo/conv-30.jsonl',
  'claude-code/subagent.jsonl',
  'claude-code/tool_heavy.jsonl',
]
const SUMMARY_SENTENCE_CHARS = 140
const KEPT_MESSAGES = 4
const MIN_MESSAGES = 10

/** The development transcripts as sessions with compactions. */
export function readSessions(note: (line: string) => void): readonly AgentSession[] {
  const plain = loadDataSets(PLAIN, note).filter(({ entries }) => entries.length >= MIN_MESSAGES)
  return [
    ...loadDataSets(COMPACTED, note).map((session) => createSession(session.file, session)),
    ...plain.map((session) => createSession(session.file, { ...session, entries: compactHalfway(session.entries) })),
  ]
}

function createSession(name: string, imported: ImportedSession): AgentSession {
  const recorded = new Map<string, RecordedCompaction>()
  return { agent: 'other', path: name, bytes: 0, changedAt: 0, imported, parentId: null, windowTokens: null, recorded }
}

/** A compaction in the middle, with the first words of each message of the user as its summary, as a hurried person would write it. */
function compactHalfway(entries: readonly Entry[]): readonly Entry[] {
  const middle = Math.floor(entries.length / 2)
  const isPrompt = (entry: Entry): entry is MessageEntry => entry.type === 'message' && entry.role === 'user'
  const before = entries.slice(0, middle)
  const text = before.filter(isPrompt).map(firstWords).join('\n')
  const firstKept = before.at(-KEPT_MESSAGES)
  const seq = entries[middle]?.seq ?? 0
  const compaction: CompactionEntry = {
    type: 'compaction',
    seq,
    id: 'halfway',
    at: before.at(-1)?.at ?? 0,
    fromSeq: firstKept?.seq ?? seq,
    firstKept: firstKept === undefined ? null : { id: firstKept.id, seq: firstKept.seq, at: firstKept.at },
    carried: [],
    previous: null,
    tokensBefore: 0,
    tokensAfter: 0,
    document: createProseDocument(text, []),
    reason: 'manual',
    strategy: 'plain',
    model: null,
  }
  return [...before, compaction, ...entries.slice(middle).map((entry) => ({ ...entry, seq: entry.seq + 1 }))]
}

function firstWords({ parts }: MessageEntry): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
  return text.slice(0, SUMMARY_SENTENCE_CHARS).replaceAll(/\s+/g, ' ')
}
