import { createManifest } from '../request/manifest.ts'
import type { Manifest } from '../request/manifest.ts'
import { findRequestLimit } from '../request/seal/request-limit.ts'
import type { SealedMessage } from '../request/seal/sealed-request.ts'
import type { ToolSchema } from '../request/view/environment.ts'
import { measureView } from '../request/view/measure-view.ts'
import type { ViewItem } from '../request/view/view-item.ts'
import type { EntryBody } from '../transcript/entry.ts'
import type { Message, Part, Usage } from '../transcript/message.ts'
import type { ContextOptions } from './context-options.ts'
import { createControls } from './controls.ts'
import type { Controls } from './controls.ts'
import { hashMessage } from './hash-message.ts'
import { createHostList, isSaid } from './host-list.ts'
import type { HostRead, SaidMessage } from './host-list.ts'
import { createMessageTree } from './message-tree.ts'
import type { MessageNode } from './message-tree.ts'
import { openContext } from './open-context.ts'
import type { PreparedRequest } from './open-context.ts'
import type { StopSignal } from './ports.ts'
import { createQueue } from './queue.ts'
import { readUsageStrictly } from './read-message-strictly.ts'
import type { PlatformSignal } from './runtime.ts'
import { truncateResults } from './truncate-results.ts'

/** Translates between the messages of a host and those of Longhaul. */
export interface MirrorCodec<M> {
  /** Reads a message of the host. `role: 'system'`, or null: it is not part of the conversation, and is sent as it is. */
  read(message: M): SealedMessage | null
  /** Writes a message that the host does not have: a summary, a pin, or one of its own (`original`) with shortened parts. */
  write(message: SealedMessage, original: M | null): M
}

export interface MirrorOptions<M> extends ContextOptions {
  readonly codec: MirrorCodec<M>
}

export interface SyncOptions {
  readonly signal?: PlatformSignal
  /** From now on this is the system text, where the host keeps it apart from its messages. */
  readonly system?: string | null
  readonly tools?: readonly ToolSchema[]
}

/** A context for a host that keeps the history itself and hands over its whole list at every call. */
export interface Mirror<M> extends Controls {
  /** Finds what is new, edited or taken back in the host's list, and returns the list to send: its own objects, where nothing was changed. */
  sync(messages: readonly M[], options?: SyncOptions): Promise<readonly M[]>
  /** The bill of the request that the last list made. It teaches the meter. */
  bill(usage: Usage): void
  /** The size and the account of the last list; null: there is none yet. */
  lastRequest(): { readonly tokens: number; readonly manifest: Manifest } | null
}

/**
 * Makes a mirror of a host's conversation.
 *
 * @example
 * const mirror = createMirror({ windowTokens: 200_000, ask, codec })
 * const messages = await mirror.sync(history)
 */
export function createMirror<M extends object>({ codec, ...options }: MirrorOptions<M>): Mirror<M> {
  const open = openContext(options, { placement: 'own-message' })
  const { session } = open
  const inTurn = createQueue()
  const tree = createMessageTree(open.entries())
  const written = new WeakMap<Message, M>()
  const known = createHostList(codec)
  /** The node of each message of the conversation that the log holds already. */
  const path: MessageNode[] = []
  let sent: PreparedRequest | null = null
  let billed: Usage | null = null
  /** The last list that the host was given, and its own list that it stands for. */
  let given: { readonly sent: readonly M[]; readonly list: readonly M[] } = { sent: [], list: [] }

  /** Some hosts hand back the list they were given, with their news behind it. Then their history is what that list stands for. */
  function restore(messages: readonly M[]): readonly M[] {
    const { sent: before, list } = given
    const isEdited = before.length !== list.length || before[0] !== list[0]
    if (!isEdited || before.length > messages.length) return messages
    const isGiven = before.every((message, index) => isSame(message, messages[index] as M))
    return isGiven ? [...list, ...messages.slice(before.length)] : messages
  }

  function isSame(one: M, other: M): boolean {
    if (one === other) return true
    const [first, second] = [codec.read(one), codec.read(other)]
    return first !== null && second !== null && hashMessage(first) === hashMessage(second)
  }

  /** Brings the log to the host's list: back to the last message they share, then on with what is new. */
  async function follow(list: readonly SaidMessage<M>[], unchanged: number): Promise<void> {
    path.length = Math.min(path.length, unchanged)
    let node = path.at(-1) ?? tree.root
    for (const { hash } of list.slice(path.length)) {
      const next = node.children.get(hash)
      if (next === undefined) break
      node = next
      path.push(node)
    }
    if (node !== tree.leaf()) await append([{ type: 'branch', to: node.entry }])
    await append(list.slice(path.length).map(createBody))
  }

  function createBody({ said, hash }: SaidMessage<M>): EntryBody {
    if (said.role === 'user') open.beginTurn()
    const body = { type: 'message', ...truncateResults(said, session()), hostHash: hash } as const
    if (said.role !== 'assistant' || billed === null || sent === null) return body
    const bill = { usage: billed, anchor: sent.sealed.anchor }
    const { model } = session()
    billed = null
    sent = null
    return { ...body, ...bill, ...(model === null ? {} : { model }) }
  }

  async function append(bodies: readonly EntryBody[]): Promise<void> {
    for (const entry of await open.append(bodies)) {
      tree.follow(entry)
      if (entry.type === 'message') path.push(tree.leaf())
    }
  }

  function render(request: PreparedRequest): readonly M[] {
    const { list, said } = known
    const { view } = request
    const measure = { ...session(), estimator: session().policy.estimator }
    const { reading, trace } = measureView(view, measure)
    const limit = findRequestLimit(session().policy, session().limits)
    // The last resort: what must be cut inside the messages cannot be the host's own object.
    if (limit !== null && (reading.tokens ?? 0) > limit)
      return [
        ...list.filter((each) => !isSaid(each)).map(({ host }) => host),
        ...request.sealed.messages.map((message) => codec.write(message, null)),
      ]
    const items = view.items.map((item, index) => renderItem(item, said, trace.dropsReasoning[index] === true))
    return said.length === list.length ? items.map(({ message }) => message) : withAsides(items, list)
  }

  function renderItem(item: ViewItem, said: readonly SaidMessage<M>[], dropsReasoning: boolean): Rendered<M> {
    const node: MessageNode | undefined = item.entry === null ? undefined : tree.find(item.entry.id)
    const host = node === undefined ? undefined : said[node.depth]?.host
    const depth = node?.depth ?? null
    if (host !== undefined && node?.isWhole === true && item.state === 'verbatim' && !dropsReasoning)
      return { message: host, depth }
    const parts = dropsReasoning ? item.message.parts.filter(({ type }) => type !== 'reasoning') : item.message.parts
    const key = item.message
    const message =
      (dropsReasoning ? undefined : written.get(key)) ?? codec.write({ role: item.message.role, parts }, host ?? null)
    if (!dropsReasoning) written.set(key, message)
    return { message, depth }
  }

  const controls = createControls(open)
  return {
    ...controls,
    sync: (messages, { signal, ...around } = {}) =>
      inTurn(async () => {
        const list = restore(messages)
        const unchanged = known.read(list)
        open.surround(withSystem(around, known.list))
        await follow(known.said, unchanged)
        if (known.said.length === 0) return [...messages]
        sent = await open.prepare(signal as StopSignal | undefined)
        given = { sent: render(sent), list: [...list] }
        return given.sent
      }),
    bill(usage) {
      const read = readUsageStrictly(usage)
      if (sent === null) return
      billed = read
      open.learn(sent, read)
    },
    lastRequest() {
      if (sent === null) return null
      const { sealed, view, numbers, at } = sent
      return { tokens: sealed.tokens.tokens ?? 0, manifest: createManifest({ number: 0, at, view, sealed, numbers }) }
    },
  }
}

interface Rendered<M> {
  readonly message: M
  /** The place of the host's message; null: nobody said it. */
  readonly depth: number | null
}

function asidesOf<M>(list: readonly HostRead<M>[]): readonly M[] {
  return list.flatMap((read) => (isSaid(read) ? [] : [read.host]))
}

/** Messages that are not part of the conversation stand where the host has them, before the next message that is sent. */
function withAsides<M>(items: readonly Rendered<M>[], list: readonly HostRead<M>[]): readonly M[] {
  const sent: M[] = []
  let place = 0
  let depth = 0
  const passAsides = (before: number): void => {
    for (; place < list.length; place += 1) {
      const each = list[place] as HostRead<M>
      if (isSaid(each)) {
        if (depth >= before) return
        depth += 1
      } else sent.push(each.host)
    }
  }
  passAsides(0)
  for (const item of items) {
    if (item.depth !== null) passAsides(item.depth)
    sent.push(item.message)
  }
  passAsides(Number.POSITIVE_INFINITY)
  return sent
}

/** System messages inside the list are measured as system text. */
function withSystem<M>(around: Omit<SyncOptions, 'signal'>, list: readonly HostRead<M>[]): Omit<SyncOptions, 'signal'> {
  const texts = list.flatMap((read) => (isSaid(read) || read.system === null ? [] : read.system.parts.map(textOf)))
  if (texts.length === 0) return around
  return { ...around, system: [...(typeof around.system === 'string' ? [around.system] : []), ...texts].join('\n\n') }
}

function textOf(part: Part): string {
  return part.type === 'text' ? part.text : ''
}
