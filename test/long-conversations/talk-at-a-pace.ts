import { setTimeout as sleep } from 'node:timers/promises'
import { createState, foldEntry, readGauge } from '@longhaul/engine/advanced'
import type { Entry, PresetName, SessionContext } from '@longhaul/engine/advanced'
import { createModels } from '@longhaul/models'
import type { Models } from '@longhaul/models/port'
import { startWireServer } from '@longhaul/models/testing'
import type { WireAnswer, WireFault, WireRequest, WireServer } from '@longhaul/models/testing'
import { createInMemoryStore, followEvents } from '@longhaul/store'
import type { Store } from '@longhaul/store'
import { messagesOf, startAgent } from '../../packages/agent/src/testing/start-agent.ts'
import type { AgentUnderTest } from '../../packages/agent/src/testing/start-agent.ts'

export interface PacedTalk {
  readonly preset: PresetName
  /** How long a summary or a flush takes; `forever`: it is never answered. */
  readonly maintenanceMs: number | 'forever'
  /** How many times faster than in the world outside everything runs, the policy's time-outs included. */
  readonly speed: number
  /** So many messages of the 60 are not timed: each is sent when the one before was answered. Default: none. */
  readonly untimed?: number
  /** Milliseconds. Default: those of the wall clock. */
  readonly now?: () => number
}

interface PacedTurn {
  readonly number: number
  /** Whether its request fitted the window as it was when its turn began. */
  readonly fits: boolean
  /** The turn waited for maintenance. */
  readonly waited: boolean
  /** From the message to the first byte of the answer. */
  readonly lateMs: number
  /** The same, but from the end of the turn before where that came later: nobody can be answered out of order. */
  readonly ownLateMs: number
}

export interface PacedReport {
  readonly turns: readonly PacedTurn[]
  /** Codes of error events. */
  readonly errors: readonly string[]
  /** Requests that the provider refused, of whatever kind. */
  readonly refused: readonly string[]
  /** By a model. */
  readonly compactions: number
  readonly extractive: number
  readonly trims: number
  /** Notices of the user that messages were left out. */
  readonly trimsTold: number
  readonly summaryCalls: number
  readonly flushCalls: number
  /** How long it took to close the agent. */
  readonly closeMs: number
}

const WINDOW_TOKENS = 48_000
const MAX_OUTPUT_TOKENS = 4_096
const PACE_MS = 1_500
const MESSAGE_CHARS = 3_600
const MESSAGES = 60
const MODEL = 'claude-haiku-4-5'

/** A person who writes every 1.5 s, whether they were answered or not, to a model that answers at once. */
export async function talkAtAPace(talk: PacedTalk): Promise<PacedReport> {
  const { preset, speed, now = () => performance.now() } = talk
  const { server, counts } = await startServer(talk)
  const store = createInMemoryStore()
  const waited = watchWaits(store)
  const compaction = {
    timeoutMs: 15_000 / speed,
    backgroundTimeoutMs: 30_000 / speed,
    memoryFlush: { timeoutMs: 60_000 / speed },
  }
  const under = startAgent({ store, preset, policy: { compaction }, models: connect(server) })
  const { id } = await under.agent.createSession({ title: 'named' })
  const ear = listen(store, id, now)
  const sentAt = await writeMessages(under, id, { ...talk, now, answered: ear.answered })
  const { context } = await under.agent.inspect(id)
  const closing = now()
  await under.agent.close()
  const closeMs = now() - closing
  ear.stop()
  const entries = await under.entries(id)
  const fitting = findFitting(entries, context)
  const refused = await findRefused(store, id)
  await server.close()
  const compactions = entries.filter((entry) => entry.type === 'compaction')
  return {
    turns: sentAt.map((sent, index) => {
      const turnId = `m${index + 1}`
      const first = ear.firstByteAt.get(turnId) ?? Infinity
      const free = Math.max(sent, ear.answeredAt.get(`m${index}`) ?? 0)
      return {
        number: index + 1,
        fits: fitting.has(turnId),
        waited: waited.has(turnId),
        lateMs: first - sent,
        ownLateMs: first - free,
      }
    }),
    errors: ear.errors,
    refused,
    compactions: compactions.filter(({ model }) => model !== null).length,
    extractive: compactions.filter(({ model }) => model === null).length,
    trims: entries.filter(({ type }) => type === 'trim').length,
    trimsTold: ear.trimsTold(),
    summaryCalls: counts.summary,
    flushCalls: counts.flush,
    closeMs,
  }
}

interface Counts {
  summary: number
  flush: number
}

/** A provider that answers at once, and takes its time for summaries and flushes. */
async function startServer({ maintenanceMs, speed }: PacedTalk): Promise<{ server: WireServer; counts: Counts }> {
  const counts: Counts = { summary: 0, flush: 0 }
  const server = await startWireServer({
    windowTokens: WINDOW_TOKENS,
    charsPerToken: 4,
    otherwise(request) {
      const work = findWork(request)
      if (work === null) return { text: ['Noted. ', 'I shall think of it. '.repeat(19)] }
      counts[work] += 1
      return maintain(work, maintenanceMs === 'forever' ? maintenanceMs : maintenanceMs / speed)
    },
  })
  return { server, counts }
}

function connect({ baseURL }: WireServer): Models {
  const models = { [MODEL]: { contextWindow: WINDOW_TOKENS, maxOutput: MAX_OUTPUT_TOKENS } }
  return createModels({
    providers: { anthropic: { apiKey: 'any', baseURL, models } },
    defaultModel: `anthropic/${MODEL}`,
  })
}

interface Writing extends PacedTalk {
  readonly now: () => number
  readonly answered: Ear['answered']
}

/** Resolves when the last message was answered: with the moment at which each was sent. */
async function writeMessages(
  { agent }: AgentUnderTest,
  sessionId: string,
  { speed, untimed = 0, now, answered }: Writing,
): Promise<readonly number[]> {
  const sentAt: number[] = []
  let begin = performance.now()
  for (let number = 1; number <= MESSAGES; number += 1) {
    const isTimed = number > untimed
    if (isTimed) await sleep(Math.max(0, begin + ((number - untimed) * PACE_MS) / speed - performance.now()))
    sentAt.push(now())
    await agent.send(sessionId, { id: `m${number}`, text: writeMessage(number) })
    if (isTimed) continue
    await answered(`m${number}`)
    begin = performance.now()
  }
  await answered(`m${MESSAGES}`)
  return sentAt
}

async function findRefused(store: Store, sessionId: string): Promise<readonly string[]> {
  const { items } = await store.requests.list(sessionId, { limit: 1_000 })
  const turns = items.filter(({ manifest }) => manifest.purpose === undefined)
  return turns.map(({ outcome }) => String(outcome?.['result'])).filter((result) => result !== 'stop')
}

function findWork({ body, messages }: WireRequest): 'summary' | 'flush' | null {
  if (!Array.isArray(body['tools'])) return 'summary'
  return messages.at(-1)?.text.includes('housekeeping turn') === true ? 'flush' : null
}

function maintain(work: 'summary' | 'flush', ms: number | 'forever'): WireAnswer | WireFault {
  if (ms === 'forever') return { fault: 'silence' }
  const text = work === 'flush' ? 'NO_REPLY' : `<summary>\n+ Goal: plan the garden\n+ Findings: ${FINDINGS}\n</summary>`
  return { text, delays: { firstByteMs: ms } }
}

const FINDINGS = 'The person writes about beds, soil and water, and wants each message noted. '.repeat(12)

function writeMessage(number: number): string {
  const text = `Message ${number}. ${`In bed ${number} the soil is dry, so it wants water in the evening. `.repeat(70)}`
  return text.slice(0, MESSAGE_CHARS)
}

/** The turns that waited for maintenance: each wait is noted in the lease when it begins. */
function watchWaits(store: Store): ReadonlySet<string> {
  const waited = new Set<string>()
  const setWork = store.leases.setWork.bind(store.leases)
  store.leases.setWork = async (lease, work) => {
    if (work !== null && 'work' in work) {
      const newest = await store.entries.read(lease.sessionId, { limit: NEWEST, fromEnd: true })
      const asked = messagesOf(newest).findLast(({ role }) => role === 'user')
      if (asked !== undefined) waited.add(asked.id)
    }
    return setWork(lease, work)
  }
  return waited
}

/** More than there can be behind the message that waits. */
const NEWEST = 20

interface Ear {
  readonly firstByteAt: ReadonlyMap<string, number>
  readonly answeredAt: ReadonlyMap<string, number>
  readonly errors: readonly string[]
  readonly trimsTold: () => number
  /** Resolves when the turn was answered or has failed. */
  readonly answered: (turnId: string) => Promise<void>
  readonly stop: () => void
}

function listen(store: Store, sessionId: string, now: () => number): Ear {
  const firstByteAt = new Map<string, number>()
  const answeredAt = new Map<string, number>()
  const errors: string[] = []
  const stopping = new AbortController()
  const waiting = new Map<string, () => void>()
  let trimsTold = 0
  const follow = async (): Promise<void> => {
    for await (const { event } of followEvents(store, sessionId, { after: 0, signal: stopping.signal })) {
      const { type, turnId } = event
      const id = typeof turnId === 'string' ? turnId : ''
      if (type === 'text-delta' && !firstByteAt.has(id)) firstByteAt.set(id, now())
      if (type === 'context-trimmed') trimsTold += 1
      if (type === 'error') errors.push(String(event['code']))
      if (type !== 'response-complete' && type !== 'error') continue
      answeredAt.set(id, now())
      waiting.get(id)?.()
    }
  }
  void follow()
  return {
    firstByteAt,
    answeredAt,
    errors,
    trimsTold: () => trimsTold,
    answered: (turnId) => new Promise((resolve) => (answeredAt.has(turnId) ? resolve() : waiting.set(turnId, resolve))),
    stop: () => stopping.abort(),
  }
}

/** Turns whose request fitted when their message was stored, found anew from the transcript. */
function findFitting(entries: readonly Entry[], context: SessionContext): ReadonlySet<string> {
  const fitting = new Set<string>()
  const messages = new Set(messagesOf(entries).map(({ id }) => id))
  let state = createState()
  for (const entry of entries) {
    state = foldEntry(state, entry)
    if (!messages.has(entry.id) || !/^m\d+$/.test(entry.id)) continue
    const { tokens } = readGauge({ ...context, state })
    if (tokens !== null && tokens <= (context.limits?.inputTokens ?? Infinity)) fitting.add(entry.id)
  }
  return fitting
}
