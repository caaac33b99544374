import type { RequestItem } from '../carriers/carrier.ts'
import { isSaid, roughTokens } from './keep-rules.ts'
import { PLAIN_SUMMARY } from './peer.ts'
import type { Peer } from './peer.ts'

const TRIGGER_SHARE = 0.9
const USER_TOKENS = 20_000

/** Its local compaction: the remote one gives back an opaque item, which nobody else can read. */
export const codex: Peer = {
  name: 'Codex',
  about:
    'at 90 %, keeps the user’s newest messages up to 20,000 tokens, summary last; tool output cut at 10,000 tokens',
  source: 'openai/codex, snapshot 2026-08-22, local compaction',
  storage: { keep: 'head-tail', maxChars: 40_000 },
  summary: { ...PLAIN_SUMMARY, readsPrefix: true },
  recoversFromOverflow: true,
  isDue: ({ tokens, windowTokens, checkPoint }) =>
    checkPoint !== 'after-response' && tokens > windowTokens * TRIGGER_SHARE ? '90 % of the window' : null,
  keep: ({ items }) => ({ before: takeUserMessages(items) }),
}

/** Newest first, as long as they fit; sent in their order. */
function takeUserMessages(items: readonly RequestItem[]): readonly RequestItem[] {
  let room = USER_TOKENS
  const said = items.filter((item) => item.kind === 'user' && isSaid(item))
  return said
    .toReversed()
    .filter((item) => {
      room -= roughTokens(item)
      return room >= 0
    })
    .toReversed()
}
