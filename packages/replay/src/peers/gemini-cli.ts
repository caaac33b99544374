import type { RequestItem } from '../carriers/carrier.ts'
import { findTail, isSaid } from './keep-rules.ts'
import { PLAIN_SUMMARY } from './peer.ts'
import type { Clearing, Peer, Situation } from './peer.ts'

const TRIGGER_SHARE = 0.5
const KEEP_SHARE = 0.3
const PROTECTED_RESULT_TOKENS = 50_000
const MIN_CLEARED_TOKENS = 30_000

export const geminiCli: Peer = {
  name: 'Gemini CLI',
  about:
    'at 50 % before a turn, keeps the last 30 % from a user message on, second call checks the summary; masks results beyond the newest 50,000 tokens in batches of 30,000',
  source: 'google-gemini/gemini-cli, snapshot 2026-08-21',
  summary: { ...PLAIN_SUMMARY, calls: 2 },
  discardsLarger: true,
  isDue: ({ tokens, windowTokens, checkPoint }) =>
    checkPoint === 'before-turn' && tokens >= windowTokens * TRIGGER_SHARE ? '50 % of the window' : null,
  keep({ items }) {
    const chars = items.map((item) => charsOf(item))
    const total = chars.reduce((sum, count) => sum + count, 0)
    const tail = findTail(items, total * KEEP_SHARE, charsOf)
    const start = items.findIndex((item, place) => place >= tail && item.kind === 'user' && isSaid(item))
    return { after: start === -1 ? [] : items.slice(start) }
  },
  clear: maskResults,
}

/** The newest results and the turn under way are protected; older ones go once they are enough. */
function maskResults({ items, checkPoint }: Situation): Clearing | null {
  if (checkPoint === 'after-response') return null
  const turn = items.findLastIndex((item) => item.kind === 'user' && isSaid(item))
  const results = items.filter((item) => item.kind === 'tool')
  const old = results.slice(
    0,
    findTail(results, PROTECTED_RESULT_TOKENS, ({ tokens }) => tokens),
  )
  const maskable = old.filter((item) => item.state !== 'cleared' && items.indexOf(item) < turn)
  const freed = maskable.reduce((sum, { tokens }) => sum + tokens, 0)
  if (freed < MIN_CLEARED_TOKENS) return null
  return {
    reason: '30,000 tokens beyond the newest 50,000 of results',
    items: new Set(maskable),
    placeholder: '[Tool output masked; the original is in a file]',
  }
}

function charsOf({ message }: RequestItem): number {
  return JSON.stringify(message.parts).length
}
