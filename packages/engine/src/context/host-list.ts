import type { SealedMessage } from '../request/seal/sealed-request.ts'
import type { Message } from '../transcript/message.ts'
import type { MirrorCodec } from './mirror-codec.ts'
import { hashMessage } from './hash-message.ts'
import { isSameData } from './is-same-data.ts'
import { checkRead } from './read-message-strictly.ts'

/** A message of the conversation, as the host has it and as Longhaul reads it. */
export interface SaidMessage<M> {
  readonly host: M
  readonly said: Message
  readonly hash: string
}

/** A message of the host that is not part of the conversation. */
interface Aside<M> {
  readonly host: M
  readonly system: SealedMessage | null
}

export type HostRead<M> = SaidMessage<M> | Aside<M>

export function isSaid<M>(read: HostRead<M>): read is SaidMessage<M> {
  return 'said' in read
}

/** The host's list as it was read last. */
export interface HostList<M> {
  readonly list: readonly HostRead<M>[]
  /** The messages of the conversation alone. */
  readonly said: readonly SaidMessage<M>[]
  /** Reads the list anew and tells how many messages of the conversation, from its start, were not looked at again. */
  readonly read: (messages: readonly M[]) => number
}

/** A host may still be filling its newest messages, such as a streamed answer; older ones do not change any more. */
const REREAD_MESSAGES = 4

/**
 * Beside a walk over the host's array, reading costs what is new. Older messages are known by identity, or by equal data
 * where the host makes its objects anew at each call. If the codec throws, or reads something that is no message, the
 * list stays as it was.
 */
export function createHostList<M>(codec: MirrorCodec<M>): HostList<M> {
  const list: HostRead<M>[] = []
  const said: SaidMessage<M>[] = []

  const dataOf = (host: M): unknown => codec.dataOf?.(host) ?? host

  function readOne(host: M): HostRead<M> {
    const read = codec.read(host)
    if (read === null) return { host, system: null }
    checkRead(read)
    if (read.role === 'system') return { host, system: read }
    const message: Message = { role: read.role, parts: read.parts }
    return { host, said: message, hash: hashMessage(message) }
  }

  return {
    list,
    said,
    read(messages) {
      const last = Math.min(list.length, messages.length) - REREAD_MESSAGES
      let same = 0
      let saidSame = 0
      for (; same < last; same += 1) {
        const known = list[same] as HostRead<M>
        const host = messages[same] as M
        if (known.host !== host && !isSameData(dataOf(known.host), dataOf(host))) break
        if (known.host !== host) list[same] = { ...known, host }
        if (!isSaid(known)) continue
        if (known.host !== host) said[saidSame] = list[same] as SaidMessage<M>
        saidSame += 1
      }
      const fresh = messages.slice(same).map(readOne)
      const dropped = list.splice(same).filter(isSaid).length
      said.length -= dropped
      const unchanged = said.length
      for (const read of fresh) {
        list.push(read)
        if (isSaid(read)) said.push(read)
      }
      return unchanged
    },
  }
}
