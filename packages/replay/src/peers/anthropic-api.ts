import { clearAllBut } from './keep-rules.ts'
import { PLAIN_SUMMARY } from './peer.ts'
import type { Peer } from './peer.ts'

const COMPACT_ABOVE_TOKENS = 150_000
const CLEAR_ABOVE_TOKENS = 100_000
const KEEP_RESULTS = 3

/** Both edits are the server's: the client sends its whole history each time, and the edits are worked out anew. */
export const anthropicApi: Peer = {
  name: 'Anthropic API',
  about: 'context editing (clear_tool_uses at 100,000, keeps 3) + compaction (at 150,000, keeps nothing verbatim)',
  source: 'clear_tool_uses_20250919 and compact_20260112 defaults, @anthropic-ai/sdk 1.8.0',
  summary: { ...PLAIN_SUMMARY, readsPrefix: true },
  isDue: ({ tokens, checkPoint }) =>
    checkPoint !== 'after-response' && tokens > COMPACT_ABOVE_TOKENS ? 'above 150,000 tokens' : null,
  keep: () => ({}),
  clearOnce: ({ items, tokens }) =>
    tokens > CLEAR_ABOVE_TOKENS
      ? clearAllBut(items, {
          keepLast: KEEP_RESULTS,
          reason: 'above 100,000 tokens',
          placeholder: '[cleared to save context]',
        })
      : null,
}
