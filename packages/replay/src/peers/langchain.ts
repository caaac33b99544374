import type { RequestItem } from '../carriers/carrier.ts'
import { clearAllBut, keepFrom, roughTokens } from './keep-rules.ts'
import { PLAIN_SUMMARY } from './peer.ts'
import type { Peer } from './peer.ts'

/** The middleware has no trigger of its own; this is what deepagents, of the same house, sets. */
const TRIGGER_SHARE = 0.85
const KEEP_MESSAGES = 20
const CLEAR_ABOVE_TOKENS = 100_000
const KEEP_RESULTS = 3

/** Counts messages only, four characters a token, and no system prompt or tools. */
export const langchain: Peer = {
  name: 'LangChain',
  about:
    'summarizationMiddleware (at 85 %, keeps 20 messages, reads the last 4,000 tokens) + ClearToolUsesEdit (100,000, keeps 3)',
  source: 'langchain 1.5.14 defaults; its trigger has none, so deepagents 1.14.1’s 0.85 of the window',
  summary: { ...PLAIN_SUMMARY, maxReadTokens: 4_000 },
  isDue: ({ items, windowTokens, checkPoint }) =>
    checkPoint !== 'after-response' && countMessages(items) >= windowTokens * TRIGGER_SHARE
      ? '85 % of the window'
      : null,
  keep: ({ items }) => keepFrom(items, items.length - KEEP_MESSAGES, 'more'),
  clearOnce: ({ items }) =>
    countMessages(items) > CLEAR_ABOVE_TOKENS
      ? clearAllBut(items, { keepLast: KEEP_RESULTS, reason: 'above 100,000 tokens', placeholder: '[cleared]' })
      : null,
}

function countMessages(items: readonly RequestItem[]): number {
  return items.reduce((sum, item) => sum + roughTokens(item), 0)
}
