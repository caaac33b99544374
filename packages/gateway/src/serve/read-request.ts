import { decodeJson, readByteText } from '../json/bytes.ts'
import type { ByteText } from '../json/bytes.ts'
import { endOfValue, findMembers, skipSpace } from '../json/scan-json.ts'
import { readList } from '../list/read-list.ts'
import type { ClientList } from '../list/read-list.ts'
import { findCallKind } from '../recognize/find-call-kind.ts'
import type { CallKind } from '../recognize/find-call-kind.ts'
import { credentialOf, fingerprintOf, keyedHash } from '../recognize/keyed-hash.ts'
import { readSignals } from '../recognize/read-signals.ts'
import type { Clues } from '../recognize/create-directory.ts'
import { decodeBody } from '../upstream/read-body.ts'
import { stringOf } from '../wires/read-content.ts'
import type { RawMember, Wire, WireName } from '../wires/wire.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayContext } from './gateway-context.ts'

/** A request as far as the gateway has to understand it. */
export interface ClientRequest {
  readonly member: RawMember
  /** The body. */
  readonly text: ByteText
  readonly list: ClientList
  readonly wire: WireName
  readonly kind: CallKind
  readonly model: string
  readonly clues: Clues
}

/** Reads a request's body; null: there is nothing in it for the gateway to do. Throws where it is not what it should be. */
export async function readRequest(call: GatewayCall, context: GatewayContext): Promise<ClientRequest | null> {
  const { incoming, wire, route } = call
  const decoded = await decodeBody(call.bytes, incoming.headers['content-encoding'])
  if (decoded === null) return null
  const text = readByteText(decoded)
  const { members, list } = readMembers(decoded, wire, context)
  const member: RawMember = (key) => {
    const found = members.get(key)
    return found === undefined ? undefined : text.slice(found.start, found.end)
  }
  // The upstream holds the earlier messages itself: this list is only their end.
  const isContinued = ['previous_response_id', 'conversation'].some((key) => (member(key) ?? 'null') !== 'null')
  if (list === null || isContinued || list.said.length === 0) return null
  const signals = readSignals({ headers: incoming.headers, member, named: route.session })
  const secret = await context.secret()
  const tenant = keyedHash(secret, credentialOf(incoming.headers))
  const fingerprint = fingerprintOf(member, list)
  const first = list.said[0]?.hash ?? ''
  const name = signals.id ?? keyedHash(secret, route.upstream, tenant, fingerprint, first)
  const hasTools =
    /^\[\s*[^\s\]]/.test(member('tools') ?? '') || list.elements.some(({ holdsTools }) => holdsTools === true)
  return {
    member,
    text,
    wire: wire.name,
    list,
    kind: findCallKind({ signals, list, hasTools }),
    model: stringOf(decodeJson(member('model') ?? '""')),
    clues: { signals, list, fingerprint, name },
  }
}

/** Known elements of the list are passed over while the end of the list is looked for: most of a body is read only once. */
function readMembers(bytes: Buffer, wire: Wire, { directory }: GatewayContext) {
  const found: { list: ClientList | null } = { list: null }
  const text = readByteText(bytes)
  const members = findMembers(text, skipSpace(text, 0), (key, at) => {
    const first = text.slice(at, at + 1)
    if (key !== wire.listKey || (first !== '[' && first !== '"')) return endOfValue(text, at)
    found.list = readList({ bytes, start: at, wire, earlier: directory.lists() })
    return found.list.span.end
  })
  return { members, list: found.list }
}
