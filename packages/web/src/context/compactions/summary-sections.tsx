import type { Compaction } from '@longhaul/protocol'
import { Citations } from './citations.tsx'
import type { CitationsProps } from './citations.tsx'
import { Fold } from './fold.tsx'
import { groupBy } from './group-by.ts'

export interface SummarySectionsProps extends Omit<CitationsProps, 'sources'> {
  readonly compaction: Pick<Compaction, 'items' | 'summary'>
  readonly isOpen: boolean
}

/** The summary as it was written, each line with the messages it rests on. */
export function SummarySections({ compaction: { items, summary }, isOpen, ...citing }: SummarySectionsProps) {
  return (
    <Fold title="Summary" isOpen={isOpen}>
      <p className="text-xs text-muted">What the model reads instead. A number leads to the original message.</p>
      {items.length === 0 && <p className="mt-2 text-[0.8125rem] whitespace-pre-wrap">{summary}</p>}
      {groupBy(items, ({ section }) => section).map(({ name, items: own }) => (
        <div key={name} className="mt-2">
          {name !== '' && <h4 className="text-xs font-semibold text-muted">{name}</h4>}
          <ul className="mt-0.5 space-y-1 text-[0.8125rem] leading-5">
            {own.map(({ text, sources, status }, index) => (
              // Lines have no id of their own, and never change.
              <li key={index} className="border-l-2 border-line pl-2.5 break-words whitespace-pre-wrap">
                {status === 'done' && <span className="mr-1 text-xs font-medium text-success">✓ done</span>}
                {text}
                <Citations sources={sources} {...citing} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Fold>
  )
}
