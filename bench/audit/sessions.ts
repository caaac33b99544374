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

/** The development transcripts as sessions with compactions: their own, or ones that are put in. */
export function readSessions(note: (line: string) => void): readonly AgentSession[] {
  const compacted = loadDataSets(COMPACTED, note)
  const beginnings = compacted.map((session) => ({ ...session, entries: beforeFirst(session.entries) }))
  const plain = loadDataSets(PLAIN, note).filter(({ entries }) => entries.length >= MIN_MESSAGES)
  return [
    ...compacted.map((session) => createSession(session.file, session)),
    ...beginnings.map((session) => createCut(`${session.file}, its beginning`, session)),
    ...plain.map((session) => createCut(session.file, session)),
  ]
}

function beforeFirst(entries: readonly Entry[]): readonly Entry[] {
  const first = entries.findIndex(({ type }) => type === 'compaction')
  return first < 0 ? entries : entries.slice(0, first)
}

function createCut(name: string, session: ImportedSession): AgentSession {
  return createSession(name, { ...session, entries: compactTwice(session.entries) })
}

function createSession(name: string, imported: ImportedSession): AgentSession {
  const recorded = new Map<string, RecordedCompaction>()
  return { agent: 'other', path: name, bytes: 0, changedAt: 0, imported, parentId: null, windowTokens: null, recorded }
}

/** Where compactions are put, as shares of a session. */
const CUTS = [0.35, 0.7]

/** Compactions with the first words of each message of the user as their summary, as a hurried person would write it. */
function compactTwice(entries: readonly Entry[]): readonly Entry[] {
  const places = CUTS.map((share) => Math.floor(entries.length * share))
  const cut: Entry[] = []
  for (const [place, entry] of entries.entries()) {
    const number = places.indexOf(place)
    if (number >= 0) cut.push(createCompaction(cut, `cut-${number}`))
    cut.push({ ...entry, seq: cut.length + 1 })
  }
  return cut
}

function createCompaction(before: readonly Entry[], id: string): CompactionEntry {
  const isPrompt = (entry: Entry): entry is MessageEntry => entry.type === 'message' && entry.role === 'user'
  const firstKept = before.at(-KEPT_MESSAGES)
  const seq = before.length + 1
  return {
    type: 'compaction',
    seq,
    id,
    at: before.at(-1)?.at ?? 0,
    fromSeq: firstKept?.seq ?? seq,
    firstKept: firstKept === undefined ? null : { id: firstKept.id, seq: firstKept.seq, at: firstKept.at },
    carried: [],
    previous: null,
    tokensBefore: 0,
    tokensAfter: 0,
    document: createProseDocument(before.filter(isPrompt).map(firstWords).join('\n'), []),
    reason: 'manual',
    strategy: 'plain',
    model: null,
  }
}

function firstWords({ parts }: MessageEntry): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
  return text.slice(0, SUMMARY_SENTENCE_CHARS).replaceAll(/\s+/g, ' ')
}
