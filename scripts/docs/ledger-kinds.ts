import { LEDGER_LIMITS } from '../../packages/engine/src/summary/ledger/ledger.ts'
import { KIND_ORDER } from '../../packages/engine/src/summary/ledger/rank-facts.ts'
import type { FactKind } from '../../packages/engine/src/transcript/summary-document.ts'
import { formatCount, renderTable } from './markdown-table.ts'

const HOLDS: Readonly<Record<FactKind, string>> = {
  'first-ask': 'the first thing a person asked for, word for word',
  'latest-ask': 'the newest ask, word for word, and whether it has been answered',
  instruction: 'sentences of the user that stand: “always …”, “never …”, “from now on …”, in the user’s own words',
  'open-work': 'tool calls nothing came back from; the newest to-do list with the state of each point',
  'file-changed': 'files that were written, edited, moved or deleted, with their last state',
  ask: 'how each ask began, so that those between the first and the newest are not forgotten',
  decision: 'what was settled, and what the user confirmed',
  failure: 'what went wrong, in the words of the error',
  command: 'commands that were run, with what came of them the last time',
  'file-read': 'files that were read or named',
  url: 'addresses',
  id: 'tickets, hashes, order numbers and the like',
  figure: 'figures with the words they stood in',
}

/** Every kind of fact in the order of the ledger, and how many of each it holds. */
export function renderLedgerKinds(): string {
  const rows = KIND_ORDER.map((kind) => [`\`${kind}\``, HOLDS[kind], formatCount(LEDGER_LIMITS[kind])])
  return renderTable(['kind', 'holds', 'at most'], rows)
}
