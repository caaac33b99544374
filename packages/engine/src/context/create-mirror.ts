import { createManifest } from '../request/manifest.ts'
import type { Manifest } from '../request/manifest.ts'
import type { ToolSchema } from '../request/view/environment.ts'
import { isRecord } from '../transcript/json.ts'
import type { Part, Usage } from '../transcript/message.ts'
import { checkKind, checkKinds, refuseOption } from './check-arguments.ts'
import { checkTools } from './context-options.ts'
import type { ContextOptions } from './context-options.ts'
import { createControls } from './controls.ts'
import type { Controls } from './controls.ts'
import { createHostFollower } from './follow-host.ts'
import type { Keeper } from './keeper.ts'
import { hashMessage } from './hash-message.ts'
import { findTail } from './find-tail.ts'
import { createHostList, isSaid } from './host-list.ts'
import type { HostRead } from './host-list.ts'
import { createMessageTree } from './message-tree.ts'
import type { MirrorCodec } from './mirror-codec.ts'
import { openContext } from './open-context.ts'
import type { PreparedRequest } from './open-context.ts'
import { createQueue } from './queue.ts'
import { readUsageStrictly } from './read-message-strictly.ts'
import { createListRenderer } from './render-list.ts'
import type { PlatformSignal } from './runtime.ts'

export interface MirrorOptions<M> extends ContextOptions {
  readonly codec: MirrorCodec<M>
  /** A store for the log and for what is learned from bills. Takes the place of `onAppend`. */
  readonly keeper?: Keeper
}

export interface SyncOptions {
  readonly signal?: PlatformSignal | undefined
  /** From now on this is the system text, where the host keeps it apart from its messages. */
  readonly system?: string | null | undefined
  readonly tools?: readonly ToolSchema[] | undefined
  /**
   * An estimate of what the host puts behind the list by itself before it sends it, for this call alone. The list is kept
   * so much smaller.
   */
  readonly appendedTokens?: number
  /** The list may be the newest part of a longer history, of which the log holds what stands before it. */
  readonly isTail?: boolean
}

/** A context for a host that keeps the history itself and hands over its whole list at every call. */
export interface Mirror<M> extends Controls {
  /** Finds what is new, edited or taken back in the host's list, and returns the list to send: its own objects, where nothing was changed. */
  readonly sync: (messages: readonly M[], options?: SyncOptions) => Promise<readonly M[]>
  /** The bill of the request that the last list made. It teaches the meter. */
  readonly bill: (usage: Usage) => void
  /** The size and the account of the last list, each worked out when it is first read; null: there is none yet. */
  readonly lastRequest: () => { readonly tokens: number; readonly manifest: Manifest } | null
}

/**
 * Makes a mirror of a host's conversation.
 *
 * @example
 * const mirror = createMirror({ windowTokens: 200_000, ask, codec })
 * const messages = await mirror.sync(history)
 */
export function createMirror<M extends object>(mirrorOptions: MirrorOptions<M>): Mirror<M> {
  checkCodec(mirrorOptions)
  const { codec, keeper, ...options } = mirrorOptions
  const open = openContext(options, { compaction: { placement: 'own-message' }, keeper })
  const { session } = open
  const inTurn = createQueue()
  const tree = createMessageTree(open.entries())
  const known = createHostList(codec)
  const follower = createHostFollower(open, tree)
  const render = createListRenderer({ codec, tree, entries: open.entries })
  let sent: PreparedRequest | null = null
  /** The last list that the host was given, and its own list that it stands for. */
  let given: GivenList<M> = { sent: [], list: [] }

  async function sync(messages: readonly M[], { signal, isTail, ...around }: SyncOptions): Promise<readonly M[]> {
    const list = restoreList(messages, given, codec)
    const unchanged = known.read(list)
    open.surround(withSystem(around, known.list))
    const before = isTail === true ? findTail(tree.path(), known.said) : 0
    await follower.follow(known.said, unchanged, before)
    if (known.said.length === 0) return [...messages]
    sent = await open.prepare(signal)
    given = { sent: render(sent, session(), known, before), list: [...list] }
    return given.sent
  }

  return {
    ...createControls(open),
    sync: (messages, syncOptions = {}) =>
      inTurn(async () => {
        checkKind('messages', messages, 'a list')
        checkKinds(syncOptions, {
          signal: 'an AbortSignal',
          system: 'a string or null',
          tools: 'a list',
          isTail: 'true or false',
          appendedTokens: 'a number of tokens',
        })
        checkTools(syncOptions.tools)
        return sync(messages, syncOptions)
      }),
    bill(usage) {
      const read = readUsageStrictly(usage)
      if (sent === null) return
      open.learn(sent, read)
      follower.expect(sent, read)
    },
    lastRequest() {
      if (sent === null) return null
      const request = sent
      return {
        get tokens() {
          return request.sealed.tokens.tokens ?? 0
        },
        get manifest() {
          const { sealed, view, numbers, at } = request
          return createManifest({ number: 0, at, view, sealed, numbers })
        },
      }
    },
  }
}

function checkCodec(options: unknown): void {
  const codec = isRecord(options) ? options['codec'] : undefined
  if (!isRecord(codec)) refuseOption('codec', '{ read, write }', codec)
  for (const name of ['read', 'write']) checkKind(`codec.${name}`, codec[name], 'a function')
}

interface GivenList<M> {
  readonly sent: readonly M[]
  readonly list: readonly M[]
}

/** Some hosts hand back the list they were given, with their news behind it. Then their history is what that list stands for. */
function restoreList<M>(messages: readonly M[], { sent, list }: GivenList<M>, codec: MirrorCodec<M>): readonly M[] {
  const isEdited = sent.length !== list.length || sent[0] !== list[0]
  if (!isEdited || sent.length > messages.length) return messages
  const isGiven = sent.every((message, index) => isSame(message, messages[index] as M, codec))
  return isGiven ? [...list, ...messages.slice(sent.length)] : messages
}

function isSame<M>(one: M, other: M, codec: MirrorCodec<M>): boolean {
  if (one === other) return true
  const [first, second] = [codec.read(one), codec.read(other)]
  return first !== null && second !== null && hashMessage(first) === hashMessage(second)
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
