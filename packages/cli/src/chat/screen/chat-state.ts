import type { SessionStatus } from '@longhaul/runtime'
import { addNotice } from '../conversation/conversation.ts'
import type { Conversation } from '../conversation/conversation.ts'

/** What the screen shows. */
export interface ChatState {
  readonly conversation: Conversation
  /** null: not read yet. */
  readonly status: SessionStatus | null
  /** Commands that are under way or wait for their turn. */
  readonly commands: readonly string[]
  /** A question of our own, before something is done. */
  readonly question: string | null
}

/** The one place where it changes. */
export interface StateHolder {
  readonly get: () => ChatState
  readonly set: (change: Partial<ChatState>) => void
  readonly change: (next: (conversation: Conversation) => Conversation) => void
  /** Whatever goes wrong is shown; the chat goes on. */
  readonly fail: (error: unknown) => void
}

export function createStateHolder(conversation: Conversation, onChange: () => void): StateHolder {
  let state: ChatState = { conversation, status: null, commands: [], question: null }
  const set: StateHolder['set'] = (change) => {
    state = { ...state, ...change }
    onChange()
  }
  const change: StateHolder['change'] = (next) => set({ conversation: next(state.conversation) })
  return {
    get: () => state,
    set,
    change,
    fail: (error) => change((now) => addNotice(now, 'error', error instanceof Error ? error.message : String(error))),
  }
}
