import type { IncomingHttpHeaders } from 'node:http'
import { decodeJson } from '../json/bytes.ts'
import { fieldsOf, stringOf } from '../wires/read-content.ts'
import type { RawMember } from '../wires/wire.ts'

/** A client's own word on which conversation a request belongs to. */
export interface Signals {
  /** The origin of stored sessions. */
  readonly origin: 'claude-code' | 'codex' | 'opencode' | 'gateway'
  /** The client's name for the conversation; null: it has none. */
  readonly id: string | null
  /** The id tells an agent from the agents that it starts, whatever their system text and tools are. */
  readonly isOfOneAgent: boolean
  /** A person named the conversation, by header or path. */
  readonly isExplicit: boolean
  /** The client says that it is compacting. */
  readonly isCompaction: boolean
}

interface SignalInput {
  readonly headers: IncomingHttpHeaders
  readonly member: RawMember
  /** From the path. */
  readonly named: string | null
}

export function readSignals({ headers, member, named }: SignalInput): Signals {
  const found = readClaudeCode(headers, member) ?? readCodex(headers, member) ?? readOther(headers)
  const explicit = named ?? headerOf(headers, 'x-longhaul-session')
  return explicit === null ? { ...found, isExplicit: false } : { ...found, id: explicit, isExplicit: true }
}

type Found = Omit<Signals, 'isExplicit'>

function readClaudeCode(headers: IncomingHttpHeaders, member: RawMember): Found | null {
  const session = headerOf(headers, 'x-claude-code-session-id') ?? readUserId(member('metadata'))
  if (session === null && !agentOf(headers).startsWith('claude-cli')) return null
  const agent = headerOf(headers, 'x-claude-code-agent-id')
  const id = session === null || agent === null ? session : `${session}:${agent}`
  return { origin: 'claude-code', id, isOfOneAgent: false, isCompaction: false }
}

const MAX_ID_CHARS = 120

/** `metadata.user_id` holds JSON, and held words with underscores before. */
function readUserId(metadata: string | undefined): string | null {
  if (metadata === undefined) return null
  const user = stringOf(fieldsOf(decodeJson(metadata))['user_id'])
  if (user.startsWith('{')) {
    try {
      return stringOf(fieldsOf(JSON.parse(user))['session_id']) || null
    } catch {
      return null
    }
  }
  return /_session_([\w-]{8,99})$/.exec(user.slice(-MAX_ID_CHARS))?.[1] ?? null
}

function readCodex(headers: IncomingHttpHeaders, member: RawMember): Found | null {
  const turn = headerOf(headers, 'x-codex-turn-metadata')
  const window = headerOf(headers, 'x-codex-window-id')
  const isCodex =
    turn !== null || window !== null || /codex/i.test(`${agentOf(headers)} ${stringOf(headers['originator'])}`)
  if (!isCodex) return null
  const key = member('prompt_cache_key')
  const session = headerOf(headers, 'session-id') ?? headerOf(headers, 'session_id')
  // An agent that another one started has the session of the first, and a thread of its own.
  const thread = headerOf(headers, 'thread-id')
  const id = session === null || thread === null || thread === session ? session : `${session}:${thread}`
  return {
    origin: 'codex',
    id: id ?? (key === undefined ? null : stringOf(decodeJson(key)) || null),
    isOfOneAgent: thread !== null,
    isCompaction: /"request_kind"\s*:\s*"compact/.test(turn ?? ''),
  }
}

function readOther(headers: IncomingHttpHeaders): Found {
  const affinity = headerOf(headers, 'x-session-affinity')
  const isOpencode = affinity !== null || /opencode/i.test(agentOf(headers))
  const id = headerOf(headers, 'x-session-id') ?? affinity
  return { origin: isOpencode ? 'opencode' : 'gateway', id, isOfOneAgent: false, isCompaction: false }
}

function agentOf(headers: IncomingHttpHeaders): string {
  return headers['user-agent'] ?? ''
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : null
}
