import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { isPiHeader, parseJson, readTranscripts, splitAtHeaders } from '@longhaul/store/jsonl'
import type { LineGroup, SkippedLine } from '@longhaul/store/jsonl'
import { isRecord } from '@longhaul/engine/advanced'
import type { AgentSession, FoundSession } from '../find/agent-session.ts'
import { describeError } from '../find/describe-error.ts'
import type { AuditProblem } from '../report/audit-report.ts'
import { readOpencodeDatabase } from './opencode/opencode-database.ts'
import { readOpencodeFiles } from './opencode/opencode-files.ts'
import { readOpenClawDatabase } from './openclaw-database.ts'
import { CLAUDE_CODE_READING, readClaudeCodeSessions } from './read-claude-code-session.ts'
import { CODEX_READING, readCodexSession } from './read-codex-session.ts'
import { readGeminiSession } from './read-gemini-session.ts'
import { readLines } from './read-lines.ts'
import type { LineReading } from './read-lines.ts'
import { readOpencodeSession } from './read-opencode-session.ts'
import { PI_READING, readPiSession } from './read-pi-session.ts'
import type { SessionRead } from './session-read.ts'

export interface SessionReading {
  /** Bytes of the file that were read since the last call. */
  readonly onProgress?: (bytes: number) => void
  readonly signal?: AbortSignal | undefined
}

export interface SessionsRead {
  /** Most files hold one session. */
  readonly sessions: readonly AgentSession[]
  readonly problems: readonly AuditProblem[]
}

/** Reads what `findSessions` found. Never throws but for its signal: what cannot be read is told. */
export async function readSession(found: FoundSession, reading: SessionReading = {}): Promise<SessionsRead> {
  try {
    const read = await readFound(found, reading)
    return {
      sessions: read.filter(({ imported }) => imported.entries.length > 0).map((each) => ({ ...found, ...each })),
      problems: tellSkipped(
        found.path,
        read.flatMap(({ imported }) => imported.skipped),
      ),
    }
  } catch (error) {
    reading.signal?.throwIfAborted()
    return { sessions: [], problems: [{ path: found.path, line: null, reason: describeError(error) }] }
  }
}

async function readFound(found: FoundSession, reading: SessionReading): Promise<readonly SessionRead[]> {
  const { agent, path } = found
  const lines = (how: LineReading): Promise<LineGroup> => readLines(path, { ...how, ...reading })
  const [, file, session] = /^(.*\.(?:db|sqlite))#([^#]+)$/s.exec(path) ?? []
  switch (agent) {
    case 'claude-code':
      return readClaudeCodeSessions(await lines(CLAUDE_CODE_READING))
    case 'codex':
      return [readCodexSession(await lines(CODEX_READING))]
    case 'openclaw':
      if (file !== undefined && session !== undefined) return [readOpenClawDatabase(file, session)]
      return splitAtHeaders(await lines(PI_READING), isPiHeader).map(readPiSession)
    case 'pi':
      return splitAtHeaders(await lines(PI_READING), isPiHeader).map(readPiSession)
    case 'gemini-cli':
      return [readGeminiSession(await readGemini(found, lines), basename(dirname(path)))]
    case 'opencode':
      if (file !== undefined && session !== undefined) return [readOpencodeSession(readOpencodeDatabase(file, session))]
      return [readOpencodeSession(await readOpencodeFiles(path, reading.signal))]
    case 'other':
      return readOther(found)
    default:
      return agent satisfies never
  }
}

/** Earlier versions wrote one document, over many lines. */
async function readGemini(found: FoundSession, lines: (how: LineReading) => Promise<LineGroup>): Promise<LineGroup> {
  if (!found.path.endsWith('.json')) return lines({})
  const value = parseJson(await readWhole(found))
  if (!isRecord(value)) throw new Error('not JSON')
  return { lines: [{ line: 1, value }], skipped: [] }
}

async function readOther(found: FoundSession): Promise<readonly SessionRead[]> {
  return readTranscripts(await readWhole(found)).map((imported) => ({
    imported,
    parentId: null,
    windowTokens: null,
    recorded: new Map(),
  }))
}

/** A document cannot be read in pieces. */
const MAX_WHOLE_BYTES = 128 * 1024 * 1024

async function readWhole({ path, bytes }: FoundSession): Promise<string> {
  if (bytes > MAX_WHOLE_BYTES) throw new Error(`one document of more than ${MAX_WHOLE_BYTES / 1024 / 1024} MB`)
  return readFile(path, 'utf8')
}

/** Left out on purpose, and no loss. */
const ON_PURPOSE: ReadonlySet<string> = new Set([
  'on a branch that was left',
  'a side chain, the work of a sub-agent',
  'a command kept out of the context',
  'an edit of the context, which keeps the original here',
])
const MAX_TOLD = 5

function tellSkipped(path: string, skipped: readonly SkippedLine[]): readonly AuditProblem[] {
  const damage = skipped.filter(({ reason }) => !ON_PURPOSE.has(reason))
  const told = damage.slice(0, MAX_TOLD).map(({ line, reason }) => ({ path, line: line === 0 ? null : line, reason }))
  const more = damage.length - told.length
  return more === 0 ? told : [...told, { path, line: null, reason: `and ${more} more lines` }]
}
