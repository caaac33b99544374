import type { Entry } from '@longhaul/engine/advanced'
import { isPiHeader, readCount, readPi, readString } from '@longhaul/store/jsonl'
import type { Fields, Line, LineGroup } from '@longhaul/store/jsonl'
import type { RecordedCompaction } from '../find/agent-session.ts'
import type { LineReading } from './read-lines.ts'
import type { SessionRead } from './session-read.ts'

/** A session of pi or OpenClaw. */
export function readPiSession(group: LineGroup): SessionRead {
  const header = group.lines.find(({ value }) => isPiHeader(value))?.value ?? {}
  const imported = readPi(group)
  return {
    imported: { ...imported, entries: imported.entries.map(withoutEmptyPrice) },
    parentId: null,
    windowTokens: readCount(header['contextWindow']) ?? null,
    recorded: readRecorded(group.lines, imported.entries),
  }
}

/** The first version has no ids and no branches: its compactions stand in the order of their lines. */
function readRecorded(lines: readonly Line[], entries: readonly Entry[]): ReadonlyMap<string, RecordedCompaction> {
  const compactions = lines.filter(({ value }) => value['type'] === 'compaction')
  const inOrder = entries.filter(({ type }) => type === 'compaction')
  return new Map(
    compactions.flatMap(({ value }, index) => {
      const id = readString(value['id']) ?? inOrder[index]?.id
      return id === undefined ? [] : [[id, readFigures(value)] as const]
    }),
  )
}

function readFigures(value: Fields): RecordedCompaction {
  return {
    trigger: readString(value['reason']) ?? readString(value['trigger']) ?? null,
    tokensBefore: readCount(value['tokensBefore']) ?? null,
    tokensAfter: readCount(value['tokensAfter']) ?? null,
  }
}

/** pi writes a cost of 0 for a model whose price it does not know. */
function withoutEmptyPrice(entry: Entry): Entry {
  if (!('usage' in entry) || entry.usage?.costUsd !== 0) return entry
  const { costUsd: _costUsd, ...usage } = entry.usage
  return { ...entry, usage }
}

export const PI_READING: LineReading = {
  slim(value) {
    if (value['type'] === 'compaction') return { ...value, systemMessage: undefined, details: undefined }
    // Kept in its place: the chain of parents runs through it.
    return value['type'] === 'custom' ? withoutData(value) : value
  },
}

function withoutData({ data: _data, ...rest }: Fields): Fields {
  return rest
}
