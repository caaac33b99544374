import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ClientList } from '../list/read-list.ts'
import type { RawMember } from '../wires/wire.ts'

/** A short name for texts that must not be told from it. Without the secret nobody can try whether it stands for a guess. */
export function keyedHash(secret: string, ...texts: readonly string[]): string {
  const hash = createHmac('sha256', secret)
  for (const text of texts) hash.update(`${text.length}:`).update(text, 'latin1')
  return hash.digest('hex').slice(0, HASH_CHARS)
}

const HASH_CHARS = 24

/** The client's credentials. Nothing but their keyed hash goes any further. */
export function credentialOf(headers: IncomingHttpHeaders): string {
  const { authorization = '' } = headers
  return ['x-api-key', 'api-key'].reduce((all, name) => `${all}\n${String(headers[name] ?? '')}`, authorization)
}

/** Clients move their cache marks from call to call. The comma that is left over goes too. */
const CACHE_MARK = /"cache_control"\s{0,9}:\s{0,9}\{[^{}]{0,99}\}/g
const LEFT_COMMA = /,(?=\s{0,9}[,\]}])/g

/** Claude Code puts a mark of the first message into its system text. The mark changes when the client compacts by itself. */
const CLIENT_MARK = /x-anthropic-billing-header:[^"]{0,200}/g

/** Stands for system text and tools, which tell an agent from the agents that it starts. */
export function fingerprintOf(member: RawMember, list: ClientList): string {
  const inList = list.pieces.findIndex(({ message }) => message?.role !== 'system')
  const leading = list.pieces
    .slice(0, Math.max(0, inList))
    .filter(({ segments }) => segments[0]?.isStanding !== true)
    .map(({ message }) => JSON.stringify(message?.parts))
  const beside = ['system', 'instructions', 'tools'].map((key) =>
    (member(key) ?? '').replace(CACHE_MARK, '').replace(LEFT_COMMA, '').replace(CLIENT_MARK, ''),
  )
  return keyedHash('', ...beside, ...leading)
}
