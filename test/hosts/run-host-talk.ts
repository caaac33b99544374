import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import type { WireRequest } from '@longhaul/models/testing'
import { planOldFacts } from '../long-conversations/plan-conversation.ts'
import type { Line } from '../long-conversations/plan-conversation.ts'
import { answerHost, kindOf } from './host-brain.ts'
import type { HostReply, HostSetup, HostUnderTest, RunningHost } from './host-under-test.ts'
import { readStored } from './read-stored.ts'
import type { StoredTalk } from './read-stored.ts'

const WINDOW_TOKENS = 32_000
const MAX_OUTPUT_TOKENS = 2_000
const MODEL = 'fake-model'

/** What came of one conversation in a host. */
export interface HostReport {
  readonly host: string
  readonly versions: string
  readonly longhaul: boolean
  readonly turns: number
  readonly facts: number
  /** Old facts that were answered. */
  readonly known: number
  readonly unanswered: readonly string[]
  /** Errors that the host's user saw. */
  readonly errors: readonly string[]
  /** Requests that the provider refused as too long. */
  readonly refusals: number
  /** Requests that the provider refused as malformed. */
  readonly invalid: number
  readonly summaries: number
  readonly tokensSent: number
  /** The largest number of messages in one call that were copied though nothing in them was changed. */
  readonly copies: number | null
  /** After a kill and a new start, the request began with all messages of the last one before, byte for byte. */
  readonly samePrefix: boolean
  /** The text of every user message that was said, in order. */
  readonly said: readonly string[]
  /** null: without Longhaul. */
  readonly stored: StoredTalk | null
  readonly seconds: number
}

interface TalkOptions {
  readonly turns: number
  readonly folder: string
  readonly longhaul: boolean
}

/** Holds a whole conversation in a real host against a provider with a small window, then kills the host and goes on. */
export async function runHostTalk(host: HostUnderTest, { turns, folder, longhaul }: TalkOptions): Promise<HostReport> {
  const startedAt = performance.now()
  const facts = turns >= 40 ? 10 : 4
  const talk = planOldFacts({
    facts,
    turns: turns - facts,
    // A short conversation must outgrow the window too, in hosts whose own words take up none of it.
    messageChars: turns >= 40 ? 6_000 : 12_000,
    readEvery: 2,
    fileChars: 15_000,
    seed: 32,
  })
  const workspace = join(folder, 'workspace')
  for (const { text, kind } of talk.lines) if (kind === 'read') await writeChapter(workspace, text, talk.readFile)
  const server = await startWireServer({ otherwise: answerHost, windowTokens: WINDOW_TOKENS })
  const setup: HostSetup = {
    folder,
    workspace,
    baseURL: server.baseURL,
    model: MODEL,
    windowTokens: WINDOW_TOKENS,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    sessionId: 'talk-1',
    store: longhaul ? join(folder, 'sessions.db') : null,
  }
  let running: RunningHost | undefined
  try {
    running = await host.start(setup)
    const outcomes: Outcome[] = []
    for (const line of talk.lines) outcomes.push(judge(line, await running.say(line.text)))
    const before = server.requests.findLast(isTurn)
    await running.kill()
    const first = server.requests.length
    running = await host.start(setup)
    const replies = [...outcomes.map(({ reply }) => reply), await running.say(AFTERWARDS)]
    const after = server.requests.slice(first).find(isTurn)
    await running.stop()
    running = undefined
    const copies = replies.flatMap((reply) => reply.copies ?? [])
    return {
      host: host.name,
      versions: host.versions,
      longhaul,
      turns,
      facts,
      known: outcomes.filter(({ isKnown }) => isKnown === true).length,
      unanswered: outcomes.flatMap(({ isKnown, line, reply }) =>
        isKnown === false ? [`${line.text} → ${reply.text || reply.errors.join(' ')}`] : [],
      ),
      errors: replies.flatMap(({ errors }) => errors),
      refusals: server.requests.filter(({ refused }) => refused === 'too-long').length,
      invalid: server.requests.filter(({ refused }) => refused === 'invalid').length,
      summaries: server.requests.filter((request) => request.refused === null && kindOf(request) === 'summary').length,
      tokensSent: server.requests.reduce((sum, { refused, inputTokens }) => sum + (refused ? 0 : inputTokens), 0),
      copies: copies.length === 0 ? null : Math.max(...copies),
      samePrefix: before !== undefined && after !== undefined && beginsWith(after, before),
      said: [...talk.lines.map(({ text }) => text), AFTERWARDS],
      stored: setup.store === null ? null : await readStored(setup.store, host.name),
      seconds: (performance.now() - startedAt) / 1_000,
    }
  } finally {
    await running?.kill()
    await server.close()
  }
}

const AFTERWARDS = 'After all this, the weather in the garden is fine.'

interface Outcome {
  readonly line: Line
  readonly reply: HostReply
  /** null: nothing was asked. */
  readonly isKnown: boolean | null
}

function judge(line: Line, reply: HostReply): Outcome {
  return { line, reply, isKnown: line.expects === null ? null : reply.text.includes(line.expects) }
}

function isTurn(request: WireRequest): boolean {
  return request.refused === null && kindOf(request) === 'turn'
}

function beginsWith(after: WireRequest, before: WireRequest): boolean {
  const [earlier, later] = [before, after].map(messagesOf)
  return earlier !== undefined && earlier.every((message, index) => message === later?.[index])
}

function messagesOf({ body }: WireRequest): readonly string[] {
  const messages = body['messages'] ?? body['input']
  return Array.isArray(messages) ? messages.map((message) => JSON.stringify(message)) : []
}

async function writeChapter(workspace: string, text: string, readFile: (path: string) => string): Promise<void> {
  const path = text.replace('Read ', '')
  await mkdir(dirname(join(workspace, path)), { recursive: true })
  await writeFile(join(workspace, path), readFile(path))
}
