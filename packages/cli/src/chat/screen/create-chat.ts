import { randomUUID } from 'node:crypto'
import { describeStatus, followEvents, isCommand, runCommand } from '@longhaul/runtime'
import type { AgentEvent, CommandResult, Runtime, SessionStatus } from '@longhaul/runtime'
import { countTurnsSinceCompaction } from '../../system/count-turns.ts'
import { formatCount } from '../../terminal/format.ts'
import { applyEvent } from '../conversation/apply-event.ts'
import { addBlock, addMessage, addNotice, dropMessage } from '../conversation/conversation.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { findMessageText } from './find-message-text.ts'

/** What the screen shows. */
export interface ChatState {
  readonly conversation: Conversation
  /** null: not read yet. */
  readonly status: SessionStatus | null
  /** Commands that wait for their turn. */
  readonly commands: readonly string[]
  /** A question of our own, before something is done. */
  readonly question: string | null
}

export interface Chat {
  readonly sessionId: () => string
  readonly state: () => ChatState
  /** A message or a slash command. Never throws: what goes wrong is shown. */
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
  const { runtime, isVerbose, onChange } = input
  const { agent, store } = runtime
  let { sessionId } = input
  let state: ChatState = { conversation: input.conversation, status: null, commands: [], question: null }
  let following = new AbortController()
  const closing = new AbortController()
  let cancels = 0
  let decide: (isYes: boolean) => void = () => undefined
  const own = new Set<string>()
  const reader = createStatusReader(
    runtime,
    () => sessionId,
    (status) => set({ status }),
  )

  function set(change: Partial<ChatState>): void {
    state = { ...state, ...change }
    onChange()
  }
  const change = (next: (conversation: Conversation) => Conversation): void =>
    set({ conversation: next(state.conversation) })
  const fail = (error: unknown): void =>
    change((now) => addNotice(now, 'error', error instanceof Error ? error.message : String(error)))

  async function follow(id: string, after: number, signal: AbortSignal): Promise<void> {
    for await (const { event } of followEvents(store, id, { after, signal })) {
      const one = event as unknown as AgentEvent
      // Typed in another terminal or in the browser.
      if (one.type === 'message-stored' && !own.has(one.id)) {
        const text = await findMessageText(store, id, one.id)
        change((now) => addMessage(now, { id: one.id, text }))
      }
      change((now) => applyEvent(now, one, isVerbose))
      if (CHANGES_STATUS.has(one.type)) reader.refresh()
    }
  }

  async function open(id: string): Promise<void> {
    following.abort()
    following = new AbortController()
    sessionId = id
    void follow(id, await store.events.getLastId(id), following.signal).catch(fail)
    // What was left unanswered when somebody closed it is answered now.
    await agent.resume(id)
    reader.refresh()
  }

  async function send(text: string): Promise<void> {
    const id = randomUUID()
    own.add(id)
    change((now) => addMessage(now, { id, text }))
    try {
      await agent.send(sessionId, { id, text })
    } catch (error) {
      change((now) => dropMessage(now, id))
      fail(error)
    }
  }

  async function mayUndo(): Promise<boolean> {
    const session = await store.sessions.get(sessionId)
    const turns = session === null ? 0 : await countTurnsSinceCompaction(store, session)
    if (turns === 0) return true
    set({ question: `${formatCount(turns, 'turn')} followed the last compaction. Undo it all the same?` })
    const isYes = await new Promise<boolean>((resolve) => (decide = resolve))
    set({ question: null })
    return isYes
  }

  async function command(line: string): Promise<void> {
    const cancelsBefore = cancels
    set({ commands: [...state.commands, line] })
    try {
      if (/^\/undo\b/i.test(line.trim()) && !(await mayUndo())) return
      const { models, memory } = runtime
      const result = await runCommand(line, { agent, store, models, memory, sessionId, signal: closing.signal })
      change((now) => addBlock(now, { kind: 'result', result }))
      await afterCommand(result)
    } catch (error) {
      if (closing.signal.aborted) return
      if (cancels > cancelsBefore) change((now) => addNotice(now, 'info', `${line.trim()}: cancelled.`))
      else fail(error)
    } finally {
      set({ commands: removeOne(state.commands, line) })
      reader.refresh()
    }
  }

  async function afterCommand(result: CommandResult): Promise<void> {
    if (result.command !== 'new') return
    change((now) => addNotice(now, 'info', `The one before stays: longhaul chat --session ${sessionId}`))
    await open(result.session.id)
  }

  await open(sessionId)
  return {
    sessionId: () => sessionId,
    state: () => state,
    submit: (text) => void (isCommand(text) ? command(text) : send(text)),
    cancel() {
      // With a turn under way, that is what is cancelled; commands that wait for its end stay.
      if (state.conversation.turn === null) cancels += 1
      decide(false)
      void agent.cancel(sessionId).catch(fail)
    },
    answer(isYes) {
      const [approval] = state.conversation.approvals
      if (state.question !== null) decide(isYes)
      else if (approval !== undefined) void agent.approve(sessionId, approval.id, isYes).catch(fail)
    },
    tell: (tone, text) => change((now) => addNotice(now, tone, text)),
    close() {
      following.abort()
      closing.abort()
    },
  }
}

/** After these the gauge, the counters or the costs may be others. */
const CHANGES_STATUS: ReadonlySet<AgentEvent['type']> = new Set([
  'message-stored',
  'tool-result',
  'usage',
  'response-complete',
  'compact-completed',
  'context-trimmed',
  'request-settled',
  'error',
  'done',
])

/** Reads the status anew when asked; while it reads, further wishes come to one more. */
function createStatusReader(
  { agent, store }: Runtime,
  sessionId: () => string,
  show: (status: SessionStatus) => void,
): { refresh(): void } {
  let isReading = false
  let isWanted = false
  async function read(): Promise<void> {
    if (isReading) return
    isReading = true
    while (isWanted) {
      isWanted = false
      const id = sessionId()
      const [session, record] = await Promise.all([agent.inspect(id), store.sessions.get(id)])
      if (id === sessionId()) show(describeStatus(session, record?.title ?? null))
    }
    isReading = false
  }
  return {
    refresh() {
      isWanted = true
      // What cannot be read now is read after the next event.
      void read().catch(() => void (isReading = false))
    },
  }
}

function removeOne(lines: readonly string[], line: string): readonly string[] {
  const index = lines.indexOf(line)
  return lines.filter((_, each) => each !== index)
}
