import type { Usage } from '@longhaul/engine'
import { estimateMessage } from '@longhaul/engine/advanced'
import { openHostSession } from '@longhaul/store/host'
import type { HostSession } from '@longhaul/store/host'
import { compactSession } from './compact-session.ts'
import { createAsk } from './create-ask.ts'
import { messageCodec } from './message-codec.ts'
import type {
  AssembleCall,
  Call,
  ContextEngine,
  OpenClawLlm,
  OpenClawMessage,
  OpenClawUsage,
  SessionName,
} from './openclaw-api.ts'
import type { LonghaulConfig } from './read-config.ts'

export interface EngineOptions {
  readonly config: LonghaulConfig
  /** Until OpenClaw says which agent's model it is. */
  readonly llm: OpenClawLlm
  readonly warn: (text: string) => void
}

type OpenSession = HostSession<OpenClawMessage>

export const ENGINE_ID = 'longhaul'

/** Without both semantics and `commitTurn`, OpenClaw takes its own engine at each turn and says nothing. */
const INFO = {
  id: ENGINE_ID,
  name: 'Longhaul',
  ownsCompaction: true,
  acceptedHostParams: ['sessionKey', 'prompt', 'runtimeSettings', 'runtimeContext', 'abortSignal'],
  transcriptSemantics: {
    currentTurnFence: 'before-current-turn-entry-v1',
    turnAdvancementIdempotency: 'atomic-idempotent-v1',
  },
} as const

interface Assembled {
  /** OpenClaw's own history, which the list stands for. */
  readonly history: readonly OpenClawMessage[]
  /** The list that was made of it, with the user's message at its end. */
  readonly sent: readonly OpenClawMessage[]
  /** The list as OpenClaw was given it: it adds the user's message itself. */
  readonly given: readonly OpenClawMessage[]
  readonly prompt: OpenClawMessage | null
}

/** The engine for one turn. OpenClaw builds one for each; what they share lies in the store. */
export function createEngine({ config, warn, ...options }: EngineOptions): ContextEngine {
  let { llm } = options
  let windowTokens = config.windowTokens
  let assembled: Assembled | null = null
  /** Whether all requests of the turn began with the same list, so that the first bill is known to be for it. */
  let isSteady = true

  function learn({ runtimeContext: { llm: ownLlm = llm, tokenBudget } = {} }: Call): void {
    llm = ownLlm
    windowTokens ??= tokenBudget
  }

  function open(call: Call): OpenSession {
    const { provider = null, resolved = null } = call.runtimeSettings?.model ?? {}
    const described = {
      ask: createAsk(llm),
      ...(windowTokens === undefined ? {} : { windowTokens }),
      ...(provider === null || resolved === null ? {} : { model: `${provider}/${resolved}` }),
    }
    const session = openHostSession({ ...identify(call, config), ...described, warn })
    return { ...session, sync: (messages, around) => session.sync(messages, { ...described, ...around, isTail: true }) }
  }

  return {
    info: INFO,
    async bootstrap(call) {
      learn(call)
      return { bootstrapped: true }
    },
    // `assemble` is given the whole history, and finds what is new in it.
    ingest: async () => ({ ingested: false }),
    async assemble(call) {
      learn(call)
      const { promptTokenBudget = null } = call.runtimeSettings?.limits ?? {}
      // During a turn OpenClaw tells the whole window, and what its own messages leave of it.
      const appendedTokens = Math.max(0, (promptTokenBudget ?? 0) - (call.tokenBudget ?? Infinity))
      if (appendedTokens > 0) windowTokens ??= promptTokenBudget ?? undefined
      const history = isGiven(call.messages, assembled) ? assembled.history : withoutFiller(call.messages)
      if (windowTokens === undefined) return createAnswer(history)
      const prompt = readPrompt(call, assembled)
      const sent = await open(call).sync(prompt === null ? history : [...history, prompt], {
        appendedTokens: prompt === null ? appendedTokens : Math.max(0, appendedTokens - estimate(prompt)),
      })
      isSteady &&= assembled === null || isSame(sent, assembled.sent)
      assembled = { history, sent, given: withoutPrompt(sent, prompt), prompt }
      return createAnswer(assembled.given)
    },
    async compact(call) {
      learn(call)
      windowTokens ??= call.tokenBudget
      return compactSession(open(call), call, warn)
    },
    /**
     * What is stored follows the content of OpenClaw's transcript, so that a turn is never stored twice. A turn that this
     * process did not assemble is found in the history at the next `assemble`.
     */
    async commitTurn(call) {
      if (assembled === null) return { status: 'committed' }
      const session = open(call)
      const usage = call.messages.find(({ role }) => role === 'assistant')?.usage
      if (usage !== undefined && isSteady) session.bill(readUsage(usage))
      await session.sync([...assembled.history, ...call.messages])
      return { status: 'committed' }
    },
  }
}

/** The session of a conversation: the same one for the engine and for tools. */
export function identify({ sessionId, sessionKey = '' }: SessionName, { store, policy }: LonghaulConfig) {
  const isIncognito = INCOGNITO.test(sessionKey)
  return { origin: 'openclaw', sessionId, codec: messageCodec, store: isIncognito ? undefined : store, policy }
}

/** OpenClaw keeps these conversations in its process alone, and so they are kept in memory here. */
const INCOGNITO = /^\s*agent:[^:]+:(?:dashboard|subagent|internal-session-effects):incognito-[^:]+\s*$/i

/** OpenClaw hands over what was assembled for the first request of a turn again at its next ones. */
function isGiven(messages: readonly OpenClawMessage[], assembled: Assembled | null): assembled is Assembled {
  if (assembled === null) return false
  const { given, history } = assembled
  const [start] = messages
  return messages.length === given.length || (start !== undefined && start === given[0] && start !== history[0])
}

/** OpenClaw puts it before a history that begins with an answer: the part of a long one that it reads. */
const FILLER = '(session bootstrap)'

function withoutFiller(messages: readonly OpenClawMessage[]): readonly OpenClawMessage[] {
  return messages[0]?.content === FILLER ? messages.slice(1) : messages
}

/** The message that the turn answers. It is in the history only when the turn is over. */
function readPrompt({ prompt = '' }: AssembleCall, assembled: Assembled | null): OpenClawMessage | null {
  if (prompt === '') return null
  const known = assembled?.prompt ?? null
  return known?.content === prompt ? known : { role: 'user', content: prompt, timestamp: Date.now() }
}

/** If the whole list had to be cut, the message of this turn is the last one of the user. */
function withoutPrompt(sent: readonly OpenClawMessage[], prompt: OpenClawMessage | null): readonly OpenClawMessage[] {
  if (prompt === null) return sent
  const at = sent.includes(prompt) ? sent.indexOf(prompt) : sent.findLastIndex(({ role }) => role === 'user')
  return sent.filter((_message, index) => index !== at)
}

function isSame(one: readonly OpenClawMessage[], other: readonly OpenClawMessage[]): boolean {
  return one.length === other.length && one.every((message, index) => message === other[index])
}

function createAnswer(messages: readonly OpenClawMessage[]) {
  return { messages, estimatedTokens: messages.reduce((sum, message) => sum + estimate(message), 0) }
}

function estimate(message: OpenClawMessage): number {
  const read = messageCodec.read(message)
  return read === null || read.role === 'system' ? 0 : estimateMessage({ role: read.role, parts: read.parts }, 'plain')
}

function readUsage({ input, output, cacheRead, cacheWrite }: OpenClawUsage): Usage {
  return { input: input + cacheRead + cacheWrite, output, cacheRead, cacheWrite }
}
