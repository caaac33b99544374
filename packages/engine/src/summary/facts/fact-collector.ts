import type { MessageEntry } from '../../transcript/entry.ts'
import type { FactKind, LedgerFact } from '../../transcript/summary-document.ts'
import { redactSecrets } from '../redact-secrets.ts'

const MAX_SOURCES = 4

/** One message mentions one fact. */
interface Mention {
  readonly kind: FactKind
  readonly text: string
  readonly note?: string
  readonly by: LedgerFact['by']
  readonly entry: MessageEntry
  /** Counts only if another message mentions it too: one of many like it that a program printed. */
  readonly isPassing?: boolean
}

export type AddMention = (mention: Mention) => void

export interface FactCollector {
  readonly add: AddMention
  list(): readonly LedgerFact[]
}

/** Gathers mentions into facts: one per kind and text, secrets redacted, each message counted once. */
export function createFactCollector(): FactCollector {
  const facts = new Map<string, LedgerFact>()
  const meant = new Set<string>()
  return {
    add({ kind, text, note, by, entry, isPassing = false }) {
      const words = redactSecrets(text.trim())
      if (words === '') return
      const fact: LedgerFact = {
        kind,
        text: words,
        ...(note === undefined || note === '' ? {} : { note: redactSecrets(note) }),
        by,
        sources: [entry.id],
        count: 1,
        lastSeq: entry.seq,
      }
      const key = factKey(fact)
      if (!isPassing) meant.add(key)
      const known = facts.get(key)
      facts.set(key, known === undefined ? fact : combineFacts(known, fact))
    },
    list: () => [...facts].flatMap(([key, fact]) => (meant.has(key) || fact.count > 1 ? [fact] : [])),
  }
}

/** What a program prints again with other numbers ("5 tests, 2 failures") is the same fact in a newer state. */
export function factKey({ kind, text, by }: LedgerFact): string {
  if (by === 'tool' && kind === 'failure') return `printed ${kind}\n${text.replace(/\d+/g, '0')}`
  return `${kind}\n${text}`
}

/** Counts add, except for a message counted already; the newer state wins; whoever of the two ranks higher said it. */
export function combineFacts(a: LedgerFact, b: LedgerFact): LedgerFact {
  const [older, newer] = b.lastSeq >= a.lastSeq ? [a, b] : [b, a]
  const note = combineNotes(older, newer)
  const isSameMessage =
    newer.sources.length === 1 && newer.count === 1 && older.sources.includes(newer.sources[0] ?? '')
  return {
    kind: newer.kind,
    text: newer.text,
    ...(note === undefined ? {} : { note }),
    by: SAID_BY_RANK[a.by] >= SAID_BY_RANK[b.by] ? a.by : b.by,
    sources: combineSources(older.sources, newer.sources),
    count: isSameMessage ? older.count : older.count + newer.count,
    lastSeq: newer.lastSeq,
  }
}

/** A file that was opened once was not merely mentioned. */
function combineNotes(older: LedgerFact, newer: LedgerFact): string | undefined {
  if (newer.kind === 'file-read' && older.kind === 'file-read') return older.note === undefined ? undefined : newer.note
  return newer.note ?? older.note
}

export const SAID_BY_RANK: Readonly<Record<LedgerFact['by'], number>> = { user: 2, assistant: 1, tool: 0 }

/** Where it was first said, and the newest places. */
function combineSources(older: readonly string[], newer: readonly string[]): readonly string[] {
  const all = [...new Set([...older, ...newer])]
  const first = all[0]
  return all.length <= MAX_SOURCES || first === undefined ? all : [first, ...all.slice(1 - MAX_SOURCES)]
}
