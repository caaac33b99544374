import { isCommand } from '@longhaul/runtime'
import type { Runtime } from '@longhaul/runtime'
import { addNotice } from '../conversation/conversation.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { createStateHolder } from './chat-state.ts'
import type { ChatState } from './chat-state.ts'
import { createCommandRunner } from './command-runner.ts'
import { createSessionLink } from './session-link.ts'

/** A chat without its looks. Nothing here throws: what goes wrong is part of what is shown. */
export interface Chat {
  readonly sessionId: () => string
  readonly state: () => ChatState
  /** A message or a slash command. */
  submit(text: string): void
  /** The turn, the compaction or the command under way. */
  cancel(): void
  /** The answer to the question that is shown. */
  answer(isYes: boolean): void
  tell(tone: 'info' | 'warning', text: string): void
  close(): void
}

export interface ChatInput {
  readonly runtime: Runtime
  readonly sessionId: string
  readonly conversation: Conversation
  readonly isVerbose: boolean
  readonly onChange: () => void
}

export async function createChat(input: ChatInput): Promise<Chat> {
  const { runtime, isVerbose } = input
  const { agent } = runtime
  const holder = createStateHolder(input.conversation, input.onChange)
  const link = createSessionLink({ runtime, holder, isVerbose })
  const commands = createCommandRunner({ runtime, holder, link })
  await link.open(input.sessionId)
  return {
    sessionId: link.id,
    state: holder.get,
    submit: (text) => void (isCommand(text) ? commands.run(text) : link.send(text)),
    cancel() {
      // With a turn under way, that is what is cancelled; commands that wait for its end stay.
      if (holder.get().conversation.turn === null) commands.noteCancel()
      commands.decide(false)
      void agent.cancel(link.id()).catch(holder.fail)
    },
    answer(isYes) {
      const { question, conversation } = holder.get()
      const [approval] = conversation.approvals
      if (question !== null) commands.decide(isYes)
      else if (approval !== undefined) void agent.approve(link.id(), approval.id, isYes).catch(holder.fail)
    },
    tell: (tone, text) => holder.change((now) => addNotice(now, tone, text)),
    close() {
      link.close()
      commands.close()
    },
  }
}
