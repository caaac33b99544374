import type { Usage } from '@longhaul/engine/advanced'
import type { Models } from '@longhaul/models/port'
import type { Store } from '@longhaul/store'
import { messagesOf, startAgent, textOf } from '../../packages/agent/src/testing/start-agent.ts'
import type { AgentUnderTest } from '../../packages/agent/src/testing/start-agent.ts'
import type { Conversation, Line } from './plan-conversation.ts'

export interface ConversationRun {
  readonly preset: string
  readonly models: Models
  readonly store: Store
  readonly conversation: Conversation
}

/** What came of a conversation: everything the checks and the table need. */
export interface ConversationReport {
  readonly turns: number
  /** Events of the kind that must not come. */
  readonly errors: readonly string[]
  /** Warnings and errors of the log, save those that must come. */
  readonly problems: readonly string[]
  /** Questions that were not answered, with what was said instead. */
  readonly unanswered: readonly string[]
  /** Messages of the user that are not in the transcript as they were sent. */
  readonly changed: readonly string[]
  readonly compactions: number
  readonly trims: number
  readonly refusals: number
  /** Requests that came back otherwise than with an answer or with a refusal for their size. */
  readonly invalid: readonly string[]
  /** Of answered requests, as the provider counted. */
  readonly largestInput: number
  readonly requests: number
  readonly fromContext: number
  readonly byRecall: number
  readonly pinnedAnswered: number
  readonly tokensSent: number
  readonly costUsd: number
  readonly seconds: number
}

/** Between two messages; now and then long enough for a prompt cache to go cold. */
const PAUSES_MS = [20_000, 45_000, 90_000, 400_000]

/** A window this small is warned of, and `micro` leaves the oldest messages out. */
const EXPECTED: ReadonlySet<string> = new Set(['small-window', 'context-trimmed'])

const EXPECTED_RESULTS: ReadonlySet<string> = new Set(['stop', 'tool-calls', 'input-overflow'])

export async function runConversation({
  preset,
  models,
  store,
  conversation,
}: ConversationRun): Promise<ConversationReport> {
  const startedAt = performance.now()
  let now = Date.parse('2026-11-15T08:00:00Z')
  const under = startAgent({
    store,
    models,
    preset,
    now: () => now,
    ownTools: [createReadTool(conversation.readFile)],
  })
  const { id } = await under.agent.createSession()
  for (const text of conversation.pins) await under.agent.request(id, 'pin', { text })
  const outcomes: Outcome[] = []
  for (const [index, line] of conversation.lines.entries()) {
    now += PAUSES_MS[index % PAUSES_MS.length] ?? 0
    outcomes.push(await sayLine(under, id, line))
  }
  const entries = await under.entries(id)
  const said = messagesOf(entries).filter(({ role }) => role === 'user')
  const { head } = (await under.agent.inspect(id)).context.state
  const requests = await readRequests(store, id)
  await under.agent.close()
  const count = (how: Outcome['answered']): number => outcomes.filter(({ answered }) => answered === how).length
  return {
    turns: conversation.lines.length,
    errors: outcomes.flatMap(({ errors }) => errors),
    problems: under.lines.flatMap(({ level, event, message }) =>
      (level === 'warn' || level === 'error') && !EXPECTED.has(event) ? [`${event}: ${message}`] : [],
    ),
    unanswered: outcomes.flatMap(({ missed }) => missed ?? []),
    changed: conversation.lines.flatMap(({ text }, index) => {
      const stored = said[index]
      return stored !== undefined && textOf(stored) === text ? [] : [text]
    }),
    compactions: head.compactionCount,
    trims: entries.filter(({ type }) => type === 'trim').length,
    refusals: requests.filter(({ result }) => result === 'input-overflow').length,
    invalid: requests.flatMap(({ result }) => (EXPECTED_RESULTS.has(String(result)) ? [] : [String(result)])),
    largestInput: Math.max(...requests.map(({ usage }) => usage?.input ?? 0)),
    requests: requests.length,
    fromContext: count('context'),
    byRecall: count('recall'),
    pinnedAnswered: count('pin'),
    tokensSent: head.totals.inputTokens,
    costUsd: head.totals.costUsd,
    seconds: (performance.now() - startedAt) / 1000,
  }
}

interface Outcome {
  readonly errors: readonly string[]
  readonly answered: 'context' | 'recall' | 'pin' | null
  readonly missed: string | null
}

async function sayLine(under: AgentUnderTest, sessionId: string, line: Line): Promise<Outcome> {
  const events = await under.say(sessionId, line.text)
  const reply = events.findLast((event) => event.type === 'response-complete')
  const errors = events.flatMap((event) => (event.type === 'error' ? [`${event.code}: ${event.message}`] : []))
  if (reply === undefined) errors.push(`no reply to: ${line.text.slice(0, 80)}`)
  if (line.expects === null) return { errors, answered: null, missed: null }
  const text = reply?.type === 'response-complete' ? reply.text : ''
  if (!text.includes(line.expects)) return { errors, answered: null, missed: `${line.text} → ${text}` }
  const hasLookedUp = events.some((event) => event.type === 'tool-call' && event.name === 'recall')
  const answered = line.kind === 'ask-pinned' ? 'pin' : hasLookedUp ? 'recall' : 'context'
  return { errors, answered, missed: null }
}

type Tool = NonNullable<NonNullable<Parameters<typeof startAgent>[0]>['ownTools']>[number]

function createReadTool(readFile: Conversation['readFile']): Tool {
  return {
    name: 'read_file',
    description: 'Reads a file of the workspace.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    permit: () => ({ verdict: 'allow' }),
    run: async (input) => ({ output: readFile(String(input['path'])) }),
  }
}

interface SentRequest {
  readonly result: unknown
  readonly usage: Usage | undefined
}

async function readRequests(store: Store, sessionId: string): Promise<readonly SentRequest[]> {
  const found: SentRequest[] = []
  let before: number | undefined
  for (;;) {
    const { items, next } = await store.requests.list(sessionId, {
      limit: 200,
      ...(before === undefined ? {} : { before }),
    })
    found.push(
      ...items.map(({ outcome }) => ({ result: outcome?.['result'], usage: outcome?.['usage'] as Usage | undefined })),
    )
    if (next === null) return found
    before = next
  }
}
