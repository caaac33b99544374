import type { SealedMessage } from '../request/seal/sealed-request.ts'
import type { Message } from '../transcript/message.ts'
import type { MirrorCodec } from './mirror-codec.ts'
import { hashMessage } from './hash-message.ts'
import { isSameData } from './is-same-data.ts'
import { checkRead } from './read-message-strictly.ts'

/** A message of the conversation, as the host has it and as Longhaul reads it. */
export interface SaidMessage<M> extends HostObject<M> {
  readonly said: Message
  readonly hash: string
}

/** A message of the host that is not part of the conversation. */
interface Aside<M> extends HostObject<M> {
  readonly system: SealedMessage | null
}

/** The host's newest object for a message, and its data: a later object with equal data is the same message. */
interface HostObject<M> {
  host: M
  data: unknown
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
 * at the same place where the host makes its objects anew at each call. If the codec throws, or reads something that is no message, the
 * list stays as it was.
 */
export function createHostList<M>(codec: MirrorCodec<M>): HostList<M> {
  const list: HostRead<M>[] = []
  const said: SaidMessage<M>[] = []

  const dataOf = (host: M): unknown => codec.dataOf?.(host) ?? host

  function readOne(host: M): HostRead<M> {
    const read = codec.read(host)
    const own = { host, data: dataOf(host) }
    if (read === null) return { ...own, system: null }
    checkRead(read)
    if (read.role === 'system') return { ...own, system: read }
    const message: Message = { role: read.role, parts: read.parts }
    return { ...own, said: message, hash: hashMessage(message) }
  }

  function isStill(known: HostRead<M>, host: M): boolean {
    if (known.host === host) return true
    const data = dataOf(host)
    if (!isSameData(known.data, data)) return false
    known.host = host
    known.data = data
    return true
  }

  return {
    list,
    said,
    read(messages) {
      const last = Math.min(list.length, messages.length) - REREAD_MESSAGES
      let same = 0
      const next = messages.map((host, place) => {
        const known = place < last ? list[place] : undefined
        if (known === undefined || !isStill(known, host)) return readOne(host)
        if (same === place) same += 1
        return known
      })
      const unchanged = list.slice(0, same).filter(isSaid).length
      list.length = same
      said.length = unchanged
      for (const read of next.slice(same)) {
        list.push(read)
        if (isSaid(read)) said.push(read)
      }
      return unchanged
    },
  }
}
