import { findTail, keepFrom, roughTokens } from './keep-rules.ts'
import { PLAIN_SUMMARY } from './peer.ts'
import type { Peer, Situation } from './peer.ts'

const KEEP_SHARE = 0.25
const MIN_KEEP_TOKENS = 2_000
const MAX_KEEP_TOKENS = 15_000
/** Longer answers are never asked for. */
const MAX_OUTPUT_TOKENS = 32_000

export const opencode: Peer = {
  name: 'opencode',
  about:
    'at the window less output, keeps a quarter of that, 2,000 to 15,000 tokens; tool output cut at 50 KB; pruning is opt-in and off',
  source: 'sst/opencode, snapshot 2026-08-19 (V1)',
  storage: { keep: 'head', maxChars: 51_200 },
  summary: { ...PLAIN_SUMMARY, resultMaxChars: 2_000 },
  recoversFromOverflow: true,
  isDue: (situation) =>
    situation.checkPoint !== 'after-response' && situation.tokens >= usableTokens(situation)
      ? 'the window less output'
      : null,
  keep(situation) {
    const budget = Math.min(MAX_KEEP_TOKENS, Math.max(MIN_KEEP_TOKENS, usableTokens(situation) * KEEP_SHARE))
    return keepFrom(situation.items, findTail(situation.items, budget, roughTokens), 'less')
  },
}

function usableTokens({ windowTokens, maxOutputTokens }: Situation): number {
  return windowTokens - Math.min(maxOutputTokens, MAX_OUTPUT_TOKENS)
}
