import type { Entry } from '@longhaul/engine/advanced'
import type { PeerCompaction } from '../entry-list.ts'
import type { Fields } from '../parse-lines.ts'
import { readCount, recordAt } from '../read-values.ts'
import { textOfContent } from './read-blocks.ts'

export interface CompactionLines {
  /** The boundary; the summary itself in versions that wrote none. */
  readonly head: Fields
  readonly message: Fields
  readonly entries: readonly Entry[]
  /** The number of each line's entry. */
  readonly byUuid: ReadonlyMap<string, number>
}

/** As a rule nothing before the summary is kept. Newer versions may keep a stretch, which stays above it in the file. */
export function readCompaction({ head, message, entries, byUuid }: CompactionLines): PeerCompaction {
  const metadata = recordAt(head, 'compactMetadata')
  const kept = keptEntries(metadata, entries, byUuid)
  const lastMessage = entries.findLast((entry) => entry.type === 'message')
  const keepsTail = lastMessage !== undefined && kept.at(-1) === lastMessage
  return {
    summary: textOfContent(message['content']),
    firstKept: keepsTail ? (kept[0] ?? null) : null,
    carried: keepsTail ? [] : kept,
    reason: metadata['trigger'] === 'manual' ? 'manual' : 'threshold',
    strategy: 'claude-code',
    tokensBefore: readCount(metadata['preTokens']) ?? 0,
    tokensAfter: readCount(metadata['postTokens']),
  }
}

function keptEntries(
  metadata: Fields,
  entries: readonly Entry[],
  byUuid: ReadonlyMap<string, number>,
): readonly Entry[] {
  const messages = recordAt(metadata, 'preservedMessages')
  const uuids = messages['allUuids'] ?? messages['uuids']
  const listed = Array.isArray(uuids) ? uuids.flatMap((uuid) => byUuid.get(String(uuid)) ?? []) : []
  const segment = recordAt(metadata, 'preservedSegment')
  const head = byUuid.get(String(segment['headUuid']))
  const tail = byUuid.get(String(segment['tailUuid']))
  const isKept = (seq: number) =>
    listed.includes(seq) || (head !== undefined && tail !== undefined && seq >= head && seq <= tail)
  return entries.filter((entry) => entry.type === 'message' && isKept(entry.seq))
}
