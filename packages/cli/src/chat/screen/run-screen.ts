import { PRESETS, listCommands } from '@longhaul/runtime'
import type { LogLine, Runtime } from '@longhaul/runtime'
import { readNewestMessages } from '../../commands/show-session.ts'
import type { ExitCode, Invocation } from '../../program/invocation.ts'
import { withRuntime } from '../../system/open-system.ts'
import type { ChatOptions } from '../chat-options.ts'
import { EMPTY_CONVERSATION, addNotice } from '../conversation/conversation.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { toBlocks } from '../conversation/to-blocks.ts'
import { openSession } from '../open-session.ts'
import type { OpenedSession } from '../open-session.ts'
import { describeWelcome } from '../welcome.ts'
import { createChat } from './create-chat.ts'
import type { Chat } from './create-chat.ts'
import type { SlashWord } from './view/completions.ts'
import { createView } from './view/create-view.ts'

/** How much of an older conversation is shown when it is opened. */
const SHOWN_MESSAGES = 30
/** A second Ctrl-C within this time leaves. */
const TWICE_MS = 3_000

/** The chat on the screen, until the user leaves. */
export async function runScreen(invocation: Invocation, options: ChatOptions): Promise<ExitCode> {
  let tell: (line: LogLine) => void = () => undefined
  const log = (line: LogLine): void => tell(line)
  const id = await withRuntime(
    invocation,
    async (runtime) => {
      const session = await openSession(runtime, options, invocation.signal)
      return talk({ runtime, session, invocation, onLog: (listener) => void (tell = listener) })
    },
    { log },
  )
  if (id !== null) invocation.output.note(invocation.output.paint.dim(`Go on with: longhaul chat --session ${id}`))
  return 0
}

interface Talk {
  readonly runtime: Runtime
  readonly session: OpenedSession
  readonly invocation: Invocation
  readonly onLog: (listener: (line: LogLine) => void) => void
}

/** The id to go on with; null: nothing was said, so nothing is left. */
async function talk({ runtime, session, invocation, onLog }: Talk): Promise<string | null> {
  const { options, output, signal } = invocation
  const isVerbose = options.verbose === true
  const { conversation, history } = await begin(runtime, session)
  const left = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => left.resolve())
  let show: () => void = () => undefined
  const chat = await createChat({ runtime, sessionId: session.id, conversation, isVerbose, onChange: () => show() })
  const view = createView({
    paint: output.paint,
    words: createWords(runtime),
    history,
    onSubmit: (text) => chat.submit(text),
    onAnswer: (isYes) => chat.answer(isYes),
    onInterrupt: createInterrupt(chat, left.resolve),
    onLeave: left.resolve,
  })
  show = () => view.show(chat.state())
  show()
  onLog(({ level, message }) => {
    if (isVerbose && (level === 'warn' || level === 'error')) chat.tell('warning', message)
  })
  await left.promise
  onLog(() => undefined)
  chat.close()
  await view.stop()
  return keepOrForget(runtime, chat)
}

interface Beginning {
  readonly conversation: Conversation
  readonly history: readonly string[]
}

async function begin(runtime: Runtime, session: OpenedSession): Promise<Beginning> {
  const messages = session.isNew ? [] : await readNewestMessages(runtime.store, session, SHOWN_MESSAGES)
  const blocks = toBlocks(messages)
  const view = await runtime.agent.inspect(session.id)
  const hello = [
    '/help lists the commands · Ctrl-C cancels, twice leaves · Ctrl-J: new line',
    ...describeWelcome(runtime, view),
  ]
  const start: Conversation = { ...EMPTY_CONVERSATION, blocks }
  return {
    conversation: hello.reduce((now, line) => addNotice(now, 'info', line), start),
    history: blocks.flatMap((block) => (block.kind === 'user' ? [block.text] : [])),
  }
}

/** The first Ctrl-C cancels what is under way, or asks for a second one. */
function createInterrupt(chat: Chat, leave: () => void): () => void {
  let pressedAt = -Infinity
  return () => {
    const now = performance.now()
    if (now - pressedAt < TWICE_MS) {
      leave()
      return
    }
    pressedAt = now
    const { conversation, commands } = chat.state()
    const isBusy = conversation.turn !== null || conversation.activity !== null || commands.length > 0
    if (isBusy) chat.cancel()
    else chat.tell('info', 'Press Ctrl-C again to leave.')
  }
}

function createWords({ models }: Runtime): readonly SlashWord[] {
  const choices: Readonly<Record<string, () => readonly string[]>> = {
    model: () => models.list().flatMap(({ id, available }) => (available ? [id] : [])),
    preset: () => Object.keys(PRESETS),
    context: () => ['list', 'detail', 'json'],
  }
  return listCommands().map(({ usage, summary }) => {
    const name = /^\/(\w+)/.exec(usage)?.[1] ?? usage
    return { name, usage, summary, choices: choices[name] ?? (() => []) }
  })
}

/** A session in which nothing was ever said or pinned leaves no trace. */
async function keepOrForget({ store }: Runtime, chat: Chat): Promise<string | null> {
  const id = chat.sessionId()
  const record = await store.sessions.get(id)
  const waiting = await store.inbox.list(id)
  if (record === null) return null
  const isEmpty = record.head.totals.messages === 0 && record.head.pins.length === 0 && waiting.length === 0
  if (isEmpty) await store.sessions.purge(id)
  return isEmpty ? null : id
}
