import { isRecord } from '@longhaul/engine/advanced'
import { readClaudeCode, readCount, readString, recordAt } from '@longhaul/store/jsonl'
import type { Fields, Line, LineGroup } from '@longhaul/store/jsonl'
import type { RecordedCompaction } from '../find/agent-session.ts'
import { splitSideChains } from './claude-code-side-chains.ts'
import type { LineReading } from './read-lines.ts'
import { withPutBack } from './put-back.ts'
import type { SessionRead } from './session-read.ts'

/** A file of Claude Code: the main conversation, and those of sub-agents whose lines stand among its own. */
export function readClaudeCodeSessions(group: LineGroup): readonly SessionRead[] {
  const main = readClaudeCodeSession(group)
  const others = splitSideChains(group).map(({ id, lines }) => {
    const { imported, ...rest } = readClaudeCodeSession(lines)
    return { ...rest, imported: { ...imported, session: { ...imported.session, id }, skipped: [] } }
  })
  return [main, ...others]
}

/** The main conversation, or that of one sub-agent. */
function readClaudeCodeSession(group: LineGroup): SessionRead {
  const { entries, ...imported } = readClaudeCode(group)
  const { recorded, putBack } = readBoundaries(group.lines)
  return {
    imported: {
      ...imported,
      entries: entries.map((entry) =>
        entry.type === 'compaction' ? withPutBack(entry, putBack.get(entry.id) ?? []) : entry,
      ),
    },
    parentId: readParent(group.lines),
    windowTokens: null,
    recorded,
  }
}

interface Boundaries {
  readonly recorded: ReadonlyMap<string, RecordedCompaction>
  readonly putBack: ReadonlyMap<string, readonly string[]>
}

/**
 * After the summary come attachments: files that Claude Code read again by itself, the plan, the list of things to do. They
 * stand before the next answer of the model.
 */
function readBoundaries(lines: readonly Line[]): Boundaries {
  const recorded = new Map<string, RecordedCompaction>()
  const putBack = new Map<string, string[]>()
  let boundary: string | undefined
  let texts: string[] | undefined
  for (const { value } of lines) {
    if (value['type'] === 'system' && value['subtype'] === 'compact_boundary') {
      boundary = readString(value['uuid'])
      if (boundary !== undefined) recorded.set(boundary, readMetadata(recordAt(value, 'compactMetadata')))
    } else if (value['isCompactSummary'] === true) {
      texts = []
      const id = boundary ?? readString(value['uuid'])
      if (id !== undefined) putBack.set(id, texts)
      boundary = undefined
    } else if (value['type'] === 'assistant') texts = undefined
    else if (value['type'] === 'attachment') texts?.push(...readAttachment(value))
  }
  return { recorded, putBack }
}

function readMetadata(metadata: Fields): RecordedCompaction {
  return {
    trigger: readString(metadata['trigger']) ?? null,
    tokensBefore: readCount(metadata['preTokens']) ?? null,
    tokensAfter: readCount(metadata['postTokens']) ?? null,
  }
}

/** In the words that the model read where the line has them, else the file itself. */
function readAttachment({ rendered, attachment }: Fields): readonly string[] {
  if (Array.isArray(rendered)) {
    return rendered.flatMap((part) => (isRecord(part) && typeof part['content'] === 'string' ? [part['content']] : []))
  }
  const content = recordAt(attachment, 'content')
  const text = recordAt(content, 'file')['content'] ?? content['content'] ?? recordAt(attachment, 'file')['content']
  const plan = isRecord(attachment) ? attachment['planContent'] : undefined
  return [text, plan].filter((each) => typeof each === 'string')
}

/** A file in which every message is on a side chain is a sub-agent's, and carries the name of the session that sent it. */
function readParent(lines: readonly Line[]): string | null {
  const messages = lines.filter(({ value }) => isRecord(value['message']))
  if (messages.length === 0 || messages.some(({ value }) => value['isSidechain'] !== true)) return null
  return readString(messages.at(-1)?.value['sessionId']) ?? null
}

export const CLAUDE_CODE_READING: LineReading = {
  isOfUse: (beginning) => !/^\{"type":"(?:api-request|atis-latch|tools-used|cost-state)/.test(beginning),
  slim(value) {
    const { type } = value
    if (type === 'user' || type === 'assistant' || type === 'system') return { ...value, toolUseResult: undefined }
    if (type === 'attachment') return isForTheModel(value) ? value : trace(value)
    // Snapshots and progress are long; the chain of parents runs through them.
    return type === 'progress' || type === 'file-history-snapshot' ? trace(value) : value
  },
}

const SURROUNDINGS = new Set(['prompt_snapshot', 'environment', 'model', 'date', 'total_tokens_reminder'])

function isForTheModel({ attachment }: Fields): boolean {
  return isRecord(attachment) && !SURROUNDINGS.has(String(attachment['type']))
}

function trace({ type, uuid, parentUuid, sessionId, timestamp, isSidechain }: Fields): Fields {
  return { type, uuid, parentUuid, sessionId, timestamp, isSidechain }
}
