import { findRequestLimit } from '../request/seal/request-limit.ts'
import type { SessionContext } from '../request/plan/session-context.ts'
import { measureView } from '../request/view/measure-view.ts'
import type { ViewItem } from '../request/view/view-item.ts'
import type { Entry } from '../transcript/entry.ts'
import type { Message } from '../transcript/message.ts'
import { isSaid } from './host-list.ts'
import type { HostList, HostRead } from './host-list.ts'
import type { MessageNode, MessageTree } from './message-tree.ts'
import type { MirrorCodec } from './mirror-codec.ts'
import { refuseUnfit } from './open-context.ts'
import type { PreparedRequest } from './open-context.ts'

/** Renders a request as a list for the host: its own objects, where nothing was changed. */
export type RenderList<M> = (
  request: PreparedRequest,
  session: SessionContext,
  known: HostList<M>,
  /** How many messages of the log stand before the host's list. */
  before: number,
) => readonly M[]

export interface ListRendererOptions<M> {
  readonly codec: MirrorCodec<M>
  readonly tree: MessageTree
  readonly entries: () => readonly Entry[]
}

export function createListRenderer<M>({ codec, tree, entries }: ListRendererOptions<M>): RenderList<M> {
  /** The same change is written once, so that the same list gives the same objects. */
  const written = new WeakMap<Message, M>()

  function renderItem(item: ViewItem, findHost: FindHost<M>, dropsReasoning: boolean): Rendered<M> {
    const node = item.entry === null ? undefined : tree.find(item.entry)
    const host = node === undefined ? undefined : findHost(node)
    const depth = node?.depth ?? null
    const isUnchanged = node?.isWhole === true && item.state === 'verbatim' && !dropsReasoning
    if (isUnchanged && host !== undefined) return { message: host, depth }
    const known = dropsReasoning ? undefined : written.get(item.message)
    if (known !== undefined) return { message: known, depth }
    const { role, parts } = item.message
    const shown = dropsReasoning ? parts.filter(({ type }) => type !== 'reasoning') : parts
    const at = item.entry?.at ?? entries().findLast(({ id }) => id === item.id)?.at ?? 0
    const message = codec.write({ role, parts: shown }, host ?? null, { at })
    if (!dropsReasoning) written.set(item.message, message)
    return { message, depth }
  }

  return (request, session, { list, said }, before) => {
    const { view } = request
    const { policy, limits } = session
    const { reading, trace } = measureView(view, { ...session, estimator: policy.estimator })
    const limit = findRequestLimit(policy, limits?.inputTokens ?? null)
    if (limit !== null && (reading.tokens ?? 0) > limit) {
      const { sealed } = request
      refuseUnfit(sealed)
      // The last resort: a message that had to be cut inside cannot be the host's own object.
      const about = { at: entries().at(-1)?.at ?? 0 }
      const pieces = sealed.messages.flatMap((message) => codec.divide?.(message) ?? [message])
      return [...asidesOf(list), ...pieces.map((message) => codec.write(message, null, about))]
    }
    const findHost: FindHost<M> = ({ depth }) => said[depth - before]?.host
    const items = view.items.map((item, index) => renderItem(item, findHost, trace.dropsReasoning[index] === true))
    return said.length === list.length ? items.map(({ message }) => message) : withAsides(items, list, before)
  }
}

/** undefined: the host's list does not hold the message. */
type FindHost<M> = (node: MessageNode) => M | undefined

interface Rendered<M> {
  readonly message: M
  /** The place of the host's message; null: nobody said it. */
  readonly depth: number | null
}

function asidesOf<M>(list: readonly HostRead<M>[]): readonly M[] {
  return list.flatMap((read) => (isSaid(read) ? [] : [read.host]))
}

/** Messages that are not part of the conversation stand where the host has them, before the next message that is sent. */
function withAsides<M>(items: readonly Rendered<M>[], list: readonly HostRead<M>[], first: number): readonly M[] {
  const sent: M[] = []
  let place = 0
  let depth = first
  const passAsides = (before: number): void => {
    for (; place < list.length; place += 1) {
      const each = list[place] as HostRead<M>
      if (isSaid(each)) {
        if (depth >= before) return
        depth += 1
      } else sent.push(each.host)
    }
  }
  passAsides(first)
  for (const item of items) {
    if (item.depth !== null) passAsides(item.depth)
    sent.push(item.message)
  }
  passAsides(Number.POSITIVE_INFINITY)
  return sent
}
