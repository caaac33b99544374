import { useClient } from '../../api/client-context.tsx'
import { useLoaded } from '../../api/use-loaded.ts'
import { LoadState } from '../../api/load-state.tsx'
import type { ContextView } from '../context-view.ts'
import { CompactNow } from './compact-now.tsx'
import { CompactionCard } from './compaction-card.tsx'
import { orderCompactions } from './order-compactions.ts'

export interface CompactionsTabProps {
  readonly sessionId: string
  readonly version: number
  readonly view: ContextView
  readonly onCite: (messageId: string) => void
  /** A compaction was made or taken back here. */
  readonly onChange: () => void
}

/** What was summarised, why, at what cost, and how well; the newest can be taken back. */
export function CompactionsTab({ sessionId, version, view, onCite, onChange }: CompactionsTabProps) {
  const client = useClient()
  const loaded = useLoaded(() => client.listCompactions(sessionId), [client, sessionId, version])
  const { value } = loaded
  if (value === undefined) return <LoadState loaded={loaded} what="the compactions" />
  const { compactions, newestId } = orderCompactions(value.items)
  return (
    <div className="px-4 py-4">
      <h2 className="text-sm font-semibold">Compactions</h2>
      <p className="mt-1 text-[0.8125rem] text-muted">
        A <em>compaction</em> replaces older messages by a summary, so that the conversation can go on. Your messages
        stay in the transcript: every line leads back to them, and the newest compaction can be undone.
      </p>
      <CompactNow sessionId={sessionId} onChange={onChange} />
      {compactions.length === 0 ? (
        <p className="mt-5 text-sm text-muted">Nothing has been compacted yet.</p>
      ) : (
        <ol aria-label="Compactions, newest first" className="mt-5 space-y-4">
          {compactions.map((compaction, index) => (
            <li key={compaction.id}>
              <CompactionCard
                sessionId={sessionId}
                compaction={compaction}
                number={compactions.length - index}
                isNewest={compaction.id === newestId}
                wanted={compaction.id === view.compactionId ? view : null}
                onCite={onCite}
                onChange={onChange}
              />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
