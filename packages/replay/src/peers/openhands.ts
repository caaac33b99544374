import { findCutPoints } from '@longhaul/engine/advanced'
import { isSaid } from './keep-rules.ts'
import { PLAIN_SUMMARY } from './peer.ts'
import type { Peer } from './peer.ts'

const MAX_EVENTS = 80
const KEEP_FIRST = 4

/** Events are messages here: an action or what was observed. */
export const openhands: Peer = {
  name: 'OpenHands',
  about:
    'at 80 events, forgets to half: keeps the first 4, a summary, and the newest; after a refusal summarises everything',
  source: 'OpenHands SDK, snapshot 2026-08-22, LLMSummarizingCondenser of the stock agent',
  summary: PLAIN_SUMMARY,
  recoversFromOverflow: true,
  keepAfterRefusal: () => ({}),
  isDue: ({ items, checkPoint }) =>
    checkPoint !== 'after-response' && items.length > MAX_EVENTS ? 'more than 80 events' : null,
  keep({ items }) {
    const cuts = findCutPoints(items.map(({ message }) => message))
    const first = cuts.atOrBefore(KEEP_FIRST)
    const last = Math.max(first, cuts.atOrAfter(items.length - (Math.floor(MAX_EVENTS / 2) - KEEP_FIRST - 1)))
    return { before: items.slice(0, first).filter(isSaid), after: items.slice(last).filter(isSaid) }
  },
}
