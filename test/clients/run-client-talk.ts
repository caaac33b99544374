import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import type { WireRequest, WireServer } from '@longhaul/models/testing'
import { answerHost } from '../hosts/host-brain.ts'
import { readStored } from '../hosts/read-stored.ts'
import type { StoredTalk } from '../hosts/read-stored.ts'
import { planOldFacts } from '../long-conversations/plan-conversation.ts'
import type { Line } from '../long-conversations/plan-conversation.ts'
import type { ClientUnderTest, RunningClient } from './client-under-test.ts'

const WINDOW_TOKENS = 32_000
/** As with English text in real tokenizers. */
const CHARS_PER_TOKEN = 4

export interface ClientReport {
  readonly facts: number
  readonly known: number
  readonly unanswered: readonly string[]
  /** Files whose words did not reach the upstream when they were asked for. */
  readonly unread: readonly string[]
  /** Errors that the client's user saw. */
  readonly errors: readonly string[]
  /** Requests that the upstream refused as too long, and as malformed. */
  readonly refusals: number
  readonly invalid: readonly string[]
  readonly requests: number
  readonly tokensSent: number
  /** What came of a compaction by the client itself. null: it was not asked for one. */
  readonly ownCompaction: OwnCompaction | null
  /** Everything that was printed on standard error. */
  readonly printed: string
  readonly stored: StoredTalk | null
  readonly seconds: number
}

interface OwnCompaction {
  readonly errors: readonly string[]
  /** The next request went on from the client's own summary. */
  readonly goesOn: boolean
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The first of the old facts was answered after it. */
  readonly isKnown: boolean
}

interface ClientTalk {
  readonly turns: number
  readonly folder: string
  readonly longhaul: boolean
}

/** Holds a whole conversation in a real client against an upstream with a small window. */
export async function runClientTalk(
  client: ClientUnderTest,
  { turns, folder, longhaul }: ClientTalk,
): Promise<ClientReport> {
  const startedAt = performance.now()
  const facts = Math.min(6, Math.floor(turns / 4))
  const talk = planOldFacts({
    facts,
    turns: turns - facts,
    messageChars: turns >= 30 ? 3_000 : 9_000,
    readEvery: 2,
    fileChars: turns >= 30 ? 6_000 : 14_000,
    seed: 21,
  })
  const workspace = join(folder, 'workspace')
  await mkdir(workspace, { recursive: true })
  for (const { text, kind } of talk.lines) {
    const path = text.replace('Read ', '')
    if (kind !== 'read') continue
    await mkdir(dirname(join(workspace, path)), { recursive: true })
    await writeFile(join(workspace, path), `${markOf(path)}\n${talk.readFile(path)}`)
  }
  const server = await startWireServer({
    otherwise: answerHost,
    windowTokens: WINDOW_TOKENS,
    charsPerToken: CHARS_PER_TOKEN,
  })
  const upstream = server.baseURL.replace(/\/v1$/, '')
  try {
    const running = await client.start({ folder, workspace, upstream, model: client.model, longhaul })
    const errors: string[] = []
    const unanswered: string[] = []
    const unread: string[] = []
    for (const line of talk.lines) {
      const before = server.requests.length
      const reply = await running.say(line.text)
      errors.push(...reply.errors)
      const mark = markOf(line.text.replace('Read ', ''))
      if (line.kind === 'read' && !server.requests.slice(before).some(({ text }) => text.includes(mark)))
        unread.push(line.text)
      if (line.expects !== null && !reply.text.includes(line.expects)) unanswered.push(`${line.text} → ${reply.text}`)
    }
    const ownCompaction = longhaul ? await compact(client, { running, server, ask: talk.lines.at(-1) }) : null
    const printed = await running.stop()
    const of = (why: WireRequest['refused']): readonly WireRequest[] =>
      server.requests.filter(({ refused }) => refused === why)
    return {
      facts,
      known: facts - unanswered.length,
      unanswered,
      unread,
      errors,
      refusals: of('too-long').length,
      invalid: of('invalid').map(({ text }) => text.slice(0, MAX_SHOWN_CHARS)),
      requests: server.requests.length,
      tokensSent: of(null).reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      ownCompaction,
      printed,
      stored: longhaul ? await readStored(join(folder, 'data/longhaul.db'), client.name) : null,
      seconds: (performance.now() - startedAt) / 1_000,
    }
  } finally {
    await server.close()
  }
}

/** Words that nobody knows who has not read the file. */
function markOf(path: string): string {
  return `This file has the mark ${createHash('sha256').update(path).digest('hex').slice(0, 12)}.`
}

const MAX_SHOWN_CHARS = 2_000

interface CompactionTalk {
  readonly running: RunningClient
  readonly server: WireServer
  readonly ask: Line | undefined
}

async function compact(client: ClientUnderTest, { running, server, ask }: CompactionTalk): Promise<OwnCompaction> {
  const before = server.requests.at(-1)
  const compacted = await running.compact()
  const reply = await running.say(ask?.text ?? '')
  const after = server.requests.at(-1)
  return {
    errors: [...compacted.errors, ...reply.errors],
    goesOn: after?.text.includes(client.goesOn) ?? false,
    tokensBefore: before?.inputTokens ?? 0,
    tokensAfter: after?.inputTokens ?? 0,
    isKnown: reply.text.includes(ask?.expects ?? ''),
  }
}
