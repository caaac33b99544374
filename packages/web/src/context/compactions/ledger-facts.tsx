import type { Compaction } from '@longhaul/protocol'
import { formatCount } from '../../ui/text/format.ts'
import { Citations } from './citations.tsx'
import type { CitationsProps } from './citations.tsx'
import { nameFactKind } from './fact-kinds.ts'
import { Fold } from './fold.tsx'
import { groupBy } from './group-by.ts'

export interface LedgerFactsProps extends Omit<CitationsProps, 'sources'> {
  readonly ledger: Compaction['ledger']
}

/** Larger groups are folded, so that the kinds can be seen at a glance. */
const MOST_OPEN = 3

/** What code took from the messages and put beside the summary, so that no model could forget it. */
export function LedgerFacts({ ledger, ...citing }: LedgerFactsProps) {
  if (ledger.length === 0) return null
  return (
    <Fold title={`Ledger: ${formatCount(ledger.length, 'fact')} carried over`} isOpen={false}>
      <p className="text-xs text-muted">
        The <em>ledger</em> is taken from the messages by code, word for word, and stands beside the summary: no model
        can forget it.
      </p>
      {groupBy(ledger, ({ kind }) => kind).map(({ name, items }) => (
        <details key={name} open={items.length <= MOST_OPEN} className="mt-2">
          <summary className="cursor-pointer text-xs font-semibold text-muted">
            {nameFactKind(name)} ({items.length})
          </summary>
          <ul className="mt-1 space-y-1 text-[0.8125rem] leading-5">
            {items.map(({ text, note, sources }, index) => (
              // Facts have no id of their own, and never change.
              <li key={index} className="border-l-2 border-line pl-2.5 break-words whitespace-pre-wrap">
                {text}
                {note !== undefined && <span className="text-muted"> – {note}</span>}
                <Citations sources={sources} {...citing} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Fold>
  )
}
