import { createQueue } from '@longhaul/engine/advanced'
import { storedIdOf } from '@longhaul/store/host'
import type { Store } from '@longhaul/store/port'
import type { ClientList } from '../list/read-list.ts'
import { startsWithChain } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import { goesOnFromSummary } from './find-call-kind.ts'
import { createHeldLists } from './held-lists.ts'
import type { OpenConversations } from './open-conversations.ts'
import { readStoredChain } from './read-stored-chain.ts'
import type { Signals } from './read-signals.ts'

/** Everything by which a request's conversation is found. */
export interface Clues {
  readonly signals: Signals
  readonly list: ClientList
  readonly fingerprint: string
  /** The name that conversations which begin like this one share. */
  readonly name: string
}

/** Knows which conversation a request belongs to, also after a restart. */
export interface Directory {
  /** The conversation; a new one where there is none. */
  readonly find: (clues: Clues) => Promise<Conversation>
  /** The conversation, if there is one. */
  readonly peek: (clues: Clues) => Promise<Conversation | null>
  /** Lists of earlier requests, newest first. */
  readonly lists: () => Iterable<ClientList>
  /** Keeps the list of a conversation for `lists`. */
  readonly keep: (conversation: Conversation) => void
}

export interface DirectoryOptions {
  readonly store: Store
  readonly conversations: OpenConversations
}

const MAX_GROUPS = 512
const MAX_ALIKE = 1_000

export function createDirectory({ store, conversations }: DirectoryOptions): Directory {
  /** Conversations that share a name, oldest first. */
  const groups = new Map<string, Promise<Group>>()
  const held = createHeldLists()

  function groupOf({ signals, name }: Clues): Promise<Group> {
    const key = `${signals.origin} ${name}`
    const known = groups.get(key) ?? loadGroup(signals, name)
    groups.delete(key)
    groups.set(key, known)
    known.catch(() => groups.delete(key))
    forgetOldest(groups, MAX_GROUPS, (group) => void group.then(({ found }) => found.forEach(conversations.forget)))
    return known
  }

  async function loadGroup({ origin }: Signals, name: string): Promise<Group> {
    const found: Conversation[] = []
    while (found.length < MAX_ALIKE) {
      const id = storedIdOf(origin, nameOf(name, found.length))
      if ((await store.sessions.get(id)) === null) break
      const conversation = conversations.open(origin, nameOf(name, found.length))
      conversation.chain = readStoredChain(await store.entries.read(id, {}))
      found.push(conversation)
    }
    return { found, inTurn: createQueue() }
  }

  return {
    async find(clues) {
      const { found, inTurn } = await groupOf(clues)
      return inTurn(async () => {
        const known = choose(found, clues)
        const conversation = known ?? conversations.open(clues.signals.origin, nameOf(clues.name, found.length))
        if (known === null) found.push(conversation)
        conversation.chain = hashesOf(clues.list)
        conversation.fingerprint = clues.fingerprint
        return conversation
      })
    },
    async peek(clues) {
      return choose((await groupOf(clues)).found, clues)
    },
    lists: held.lists,
    keep: held.keep,
  }
}

interface Group {
  readonly found: Conversation[]
  readonly inTurn: ReturnType<typeof createQueue>
}

function forgetOldest<T>(map: Map<string, T>, most: number, forget?: (value: T) => void): void {
  for (const [key, value] of map) {
    if (map.size <= most) return
    map.delete(key)
    forget?.(value)
  }
}

function nameOf(name: string, earlier: number): string {
  return earlier === 0 ? name : `${name}.${earlier + 1}`
}

function hashesOf(list: ClientList): readonly string[] {
  return list.said.map(({ hash }) => hash ?? '')
}

/** Fewer messages may be shared by conversations that only begin alike. */
const LEAST_SHARED = 8
const MOST_TAKEN_BACK = 2

/** The client changed the newest messages of a long list and goes on from there. */
function takesBack(hashes: readonly string[], chain: readonly string[]): boolean {
  const shared = chain.findIndex((hash, index) => hash !== hashes[index])
  return shared >= Math.max(LEAST_SHARED, chain.length - MOST_TAKEN_BACK)
}

/** A conversation that was only begun holds no list yet, so anything would extend it. */
function choose(found: readonly Conversation[], { signals, list, fingerprint }: Clues): Conversation | null {
  if (signals.isExplicit) return found[0] ?? null
  const hashes = hashesOf(list)
  const begun = found.filter(({ chain }) => chain.length > 0)
  const extended = begun
    .filter(({ chain }) => startsWithChain(hashes, chain))
    .toSorted((one, other) => other.chain.length - one.chain.length)[0]
  if (extended !== undefined) return extended
  if (signals.id === null) return begun.findLast(({ chain }) => takesBack(hashes, chain)) ?? null
  // The client names the conversation, so a list that does not extend it may be the same one, edited or compacted.
  const isAlike = (each: Conversation): boolean => each.fingerprint === null || each.fingerprint === fingerprint
  const alike = begun.toReversed().filter((each) => signals.isOfOneAgent || isAlike(each))
  const edited = alike.find(({ chain }) => chain[0] === hashes[0])
  if (edited !== undefined) return edited
  return alike.find(({ isCompacted }) => isCompacted) ?? (goesOnFromSummary(list) ? (alike.at(-1) ?? null) : null)
}
