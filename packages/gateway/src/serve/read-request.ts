import { decodeJson, toByteText } from '../json/bytes.ts'
import { findMembers, skipSpace } from '../json/scan-json.ts'
import { countShared, readList } from '../list/read-list.ts'
import type { ClientList } from '../list/read-list.ts'
import { findCallKind } from '../recognize/find-call-kind.ts'
import type { CallKind } from '../recognize/find-call-kind.ts'
import { credentialOf, fingerprintOf, keyedHash } from '../recognize/keyed-hash.ts'
import { readSignals } from '../recognize/read-signals.ts'
import type { Clues } from '../recognize/create-directory.ts'
import { decodeBody } from '../upstream/read-body.ts'
import { stringOf } from '../wires/read-content.ts'
import type { RawMember } from '../wires/wire.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { GatewayContext } from './gateway-context.ts'

/** A request as far as the gateway has to understand it. */
export interface ClientRequest {
  readonly member: RawMember
  readonly list: ClientList
  readonly kind: CallKind
  readonly model: string
  readonly clues: Clues
  /** The shelf on which lists stand that this one may repeat. */
  readonly shelf: string
}

/** Reads a request's body; null: there is nothing in it for the gateway to do. Throws where it is not what it should be. */
export async function readRequest(call: GatewayCall, context: GatewayContext): Promise<ClientRequest | null> {
  const { incoming, wire, route } = call
  const decoded = await decodeBody(call.bytes, incoming.headers['content-encoding'])
  if (decoded === null) return null
  const text = toByteText(decoded)
  const members = findMembers(text, skipSpace(text, 0))
  const span = members.get(wire.listKey)
  const member: RawMember = (key) => {
    const found = members.get(key)
    return found === undefined ? undefined : text.slice(found.start, found.end)
  }
  // The upstream holds the earlier messages itself: this list is only their end.
  const isContinued = ['previous_response_id', 'conversation'].some((key) => (member(key) ?? 'null') !== 'null')
  if (span === undefined || isContinued) return null
  const signals = readSignals({ headers: incoming.headers, member, named: route.session })
  const tenant = keyedHash(context.secret, credentialOf(incoming.headers))
  const shelf = [route.upstream, signals.origin, signals.id ?? tenant, wire.name].join('\n')
  const previous = findNearest(text, context.directory.listsOf(shelf), span)
  const list = readList({ text, span, wire, previous })
  if (list.said.length === 0) return null
  const fingerprint = fingerprintOf(member, list)
  const first = list.said[0]?.hash ?? ''
  const name = signals.id ?? keyedHash(context.secret, route.upstream, tenant, fingerprint, first)
  const hasTools = /^\[\s*[^\s\]]/.test(member('tools') ?? '')
  return {
    member,
    list,
    kind: findCallKind({ signals, list, hasTools }),
    model: stringOf(decodeJson(member('model') ?? '""')),
    clues: { signals, list, fingerprint, name },
    shelf,
  }
}

function findNearest(
  text: string,
  lists: readonly ClientList[],
  span: { start: number; end: number },
): ClientList | null {
  let nearest: ClientList | null = null
  let most = 0
  for (const list of lists) {
    const shared = countShared(text, span, list)
    if (shared <= most) continue
    most = shared
    nearest = list
  }
  return nearest
}
