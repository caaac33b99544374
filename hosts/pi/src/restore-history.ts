import { isRecord } from '@longhaul/engine/advanced'
import type { PiEntry, PiMessage } from './pi-api.ts'

/** Marks the compactions in pi's session file that Longhaul answered. */
export const MADE_HERE = { by: 'longhaul' }

/** A message of pi together with the line of the session file that holds it. */
export interface StoredMessage {
  readonly id: string
  readonly message: PiMessage
}

/**
 * The history as it is without the compactions that Longhaul answered: pi's file keeps every message, and Longhaul goes
 * on from the messages, so that a compaction can be undone.
 */
export function restoreHistory(messages: readonly PiMessage[], branch: readonly PiEntry[]): readonly PiMessage[] {
  const at = branch.findLastIndex(({ type }) => type === 'compaction')
  const last = branch[at]
  if (last === undefined || !isMadeHere(last) || messages[0]?.role !== 'compactionSummary') return messages
  const before = readBranch(branch.slice(0, at))
  const kept = before.findIndex(({ id }) => id === last.firstKeptEntryId)
  return [...before.slice(0, Math.max(0, kept)).map(({ message }) => message), ...messages.slice(1)]
}

/** The messages of a branch from the last compaction that pi made itself. */
export function readBranch(branch: readonly PiEntry[]): readonly StoredMessage[] {
  const at = branch.findLastIndex((entry) => entry.type === 'compaction' && !isMadeHere(entry))
  const compaction = branch[at]
  const kept = branch.findIndex(({ id }) => id === compaction?.firstKeptEntryId)
  const entries = branch.filter((entry, index) => index > at || (kept !== -1 && index >= kept))
  const edits = new Map(branch.map(({ targetId, replacement }) => [targetId, replacement] as const))
  const messages = entries.flatMap((entry) => readEntry(entry, edits.get(entry.id)))
  return compaction === undefined ? messages : [...readSummary(compaction, 'compactionSummary'), ...messages]
}

function readEntry(entry: PiEntry, replacement: PiEntry['replacement']): readonly StoredMessage[] {
  if (entry.type === 'branch_summary') return readSummary(entry, 'branchSummary')
  const { id, content, timestamp } = entry
  const custom = { role: 'custom', content: content ?? '', timestamp: Date.parse(timestamp) }
  const message = entry.type === 'custom_message' ? custom : entry.message
  if (message === undefined || message.role === 'system' || replacement === null) return []
  return [{ id, message: replacement === undefined ? message : { ...message, content: replacement.content } }]
}

function readSummary({ id, summary = '', timestamp }: PiEntry, role: string): readonly StoredMessage[] {
  return [{ id, message: { role, summary, timestamp: Date.parse(timestamp) } }]
}

function isMadeHere({ details }: PiEntry): boolean {
  return isRecord(details) && details['by'] === MADE_HERE.by
}
