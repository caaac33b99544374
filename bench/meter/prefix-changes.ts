import { PRESETS, hashText, truncateResults } from '@longhaul/engine/advanced'
import type { MessageEntry, SealedRequest } from '@longhaul/engine/advanced'
import { driveSession } from '@longhaul/engine/testing'
import type { BilledSession, Origin } from './billed-sessions.ts'

export interface PrefixChanges {
  readonly origin: Origin
  readonly requests: number
  /** Sent while the provider still remembered the request before. */
  readonly warm: number
  /** Of these, how many did not begin with all of it. */
  readonly changed: number
}

const policy = PRESETS.longhaul
const WINDOW_TOKENS = 200_000
const START = 1_700_000_000_000

/**
 * The messages of a session at the times they were sent, with Longhaul's own maintenance. The bills are left out: they
 * belong to other requests than these.
 */
export async function countPrefixChanges({ origin, entries }: BilledSession): Promise<PrefixChanges> {
  const session = driveSession({ policy, windowTokens: WINDOW_TOKENS, ask: summarise })
  const messages = entries.filter((entry) => entry.type === 'message')
  let now = START
  let last: { readonly at: number; readonly hashes: readonly string[] } | null = null
  let [requests, warm, changed] = [0, 0, 0]
  for (const [index, message] of messages.entries()) {
    session.wait(Math.max(0, message.at - now))
    now = Math.max(now, message.at)
    session.append(stored(message, now))
    if (message.role === 'assistant') await session.maintain('after-response')
    const answer = messages[index + 1]
    if (answer?.role !== 'assistant' || message.role === 'assistant') continue
    const { model } = answer
    if (model !== undefined && model !== session.state().head.model) session.append({ type: 'model-change', model })
    await session.maintain(message.role === 'user' ? 'before-turn' : 'before-step')
    const hashes = hashMessages(session.seal())
    requests += 1
    if (last !== null && now - last.at < policy.contextPruning.ttl) {
      warm += 1
      if (!last.hashes.every((hash, place) => hashes[place] === hash)) changed += 1
    }
    last = { at: now, hashes }
  }
  return { origin, requests, warm, changed }
}

function stored(message: MessageEntry, at: number) {
  const { role, parts, model, finish } = truncateResults(message, policy.toolResults)
  return {
    type: 'message' as const,
    at,
    role,
    parts,
    ...(model === undefined ? {} : { model }),
    ...(finish === undefined ? {} : { finish }),
  }
}

/** By part: a message that grows at its end still begins as it did. */
function hashMessages({ system, messages, tools }: SealedRequest): readonly string[] {
  return [
    hashText(JSON.stringify([system, tools])),
    ...messages.flatMap(({ role, parts }) => parts.map((part) => hashText(JSON.stringify([role, part])))),
  ]
}

function summarise(): Promise<{ text: string; finish: 'stop' }> {
  return Promise.resolve({
    text: '<summary>Files were read and changed, and the tests were run.</summary>',
    finish: 'stop',
  })
}
