import type { ContextOptions } from '@longhaul/engine'
import { createQueue } from '@longhaul/engine/advanced'
import { openHostSession, storedIdOf } from '@longhaul/store/host'
import type { Store } from '@longhaul/store/port'
import { createPieceCodec } from '../list/create-piece-codec.ts'
import type { SentPiece } from '../list/piece.ts'
import type { Conversation } from './conversation.ts'

/** The conversations that this process holds, one for each stored session. */
export interface OpenConversations {
  readonly open: (origin: string, name: string) => Conversation
  readonly forget: (conversation: Conversation) => void
  readonly all: () => Iterable<Conversation>
}

export interface OpenConversationsOptions {
  readonly store: Store
  readonly policy: ContextOptions['policy']
  readonly warn: (text: string) => void
}

export function createOpenConversations({ store, policy, warn }: OpenConversationsOptions): OpenConversations {
  const byId = new Map<string, Conversation>()

  function create(origin: string, name: string, id: string): Conversation {
    // By id: a session outlives the conversation that was opened with it.
    const codec = createPieceCodec(() => {
      const list = byId.get(id)?.list ?? null
      if (list === null) throw new Error('There is no list at the moment.')
      return list
    })
    const session = openHostSession<SentPiece>({ origin, sessionId: name, codec, store, policy, warn })
    return {
      session,
      inTurn: createQueue(),
      chain: [],
      fingerprint: null,
      list: null,
      last: null,
      surroundings: null,
      isCompacted: false,
      uses: 0,
      requests: 0,
    }
  }

  return {
    open(origin, name) {
      const id = storedIdOf(origin, name)
      const conversation = byId.get(id) ?? create(origin, name, id)
      byId.set(id, conversation)
      return conversation
    },
    forget: ({ session }) => void byId.delete(session.id),
    all: () => byId.values(),
  }
}
