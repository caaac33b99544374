import { findTail, keepFrom, roughTokens } from './keep-rules.ts'
import { PLAIN_SUMMARY } from './peer.ts'
import type { Peer } from './peer.ts'

const RESERVE_TOKENS = 16_384
const KEEP_RECENT_TOKENS = 20_000

export const pi: Peer = {
  name: 'pi',
  about: 'at the window less 16,384, keeps the last 20,000 tokens (four characters each)',
  source: '@earendil-works/pi-coding-agent 1.5.0 defaults',
  storage: { keep: 'head-tail', maxChars: 51_200 },
  summary: { ...PLAIN_SUMMARY, maxOutputTokens: 13_107, resultMaxChars: 2_000 },
  recoversFromOverflow: true,
  isDue: ({ tokens, windowTokens }) => (tokens > windowTokens - RESERVE_TOKENS ? 'the window less 16,384' : null),
  keep: ({ items }) => keepFrom(items, findTail(items, KEEP_RECENT_TOKENS, roughTokens), 'less'),
}
