import { useMemo, useState } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { useLoaded } from '../../api/use-loaded.ts'
import { Button } from '../../ui/button.tsx'
import { formatCount } from '../../ui/text/format.ts'
import { LoadState } from '../../api/load-state.tsx'
import { ensureLanguage } from './ensure-language.ts'
import { MarkLegend } from './mark-legend.tsx'
import { planTimeline } from './plan-timeline.ts'
import { RequestDialog } from './request-dialog.tsx'
import { RequestTable } from './request-table.tsx'
import { useRequests } from './use-requests.ts'

export interface TimelineTabProps {
  readonly sessionId: string
  readonly version: number
  readonly compactionsVersion: number
  /** Where a compaction starts; null: unknown. */
  readonly threshold: number | null
}

/** How the context grew and shrank, request by request; each can be opened. */
export function TimelineTab({ sessionId, version, compactionsVersion, threshold }: TimelineTabProps) {
  const client = useClient()
  const loaded = useRequests(sessionId, version)
  const { value: marks } = useLoaded(() => client.listMarks(sessionId), [client, sessionId, version])
  const { value: compactions } = useLoaded(
    () => client.listCompactions(sessionId),
    [client, sessionId, compactionsVersion],
  )
  // The plotting library is loaded when somebody looks; the table does without it.
  const { value: plotting, ...chart } = useLoaded(() => {
    ensureLanguage()
    return import('./timeline-chart.tsx')
  }, [])
  const [openedNumber, setOpenedNumber] = useState<number | null>(null)
  const { value: known } = loaded
  const timeline = useMemo(
    () =>
      planTimeline({
        requests: [],
        hasOlder: false,
        ...known,
        marks: marks?.items ?? [],
        compactions: compactions?.items ?? [],
        threshold,
      }),
    [known, marks, compactions, threshold],
  )
  if (known === undefined) return <LoadState loaded={loaded} what="the requests" />
  return (
    <div className="px-4 py-4">
      <h2 className="text-sm font-semibold">Every request so far</h2>
      <p className="mt-1 text-[0.8125rem] text-muted">
        Each point is one request to the model and how many <em>tokens</em> it held (a token is about four letters).
        Open one to see exactly what the model saw.
      </p>
      {known.requests.length === 0 ? (
        <p className="mt-6 text-sm text-muted">Nothing has been sent yet. Say something, and it appears here.</p>
      ) : (
        <>
          <div className="mt-3 h-64">
            {plotting === undefined ? (
              <LoadState loaded={chart} what="the chart" />
            ) : (
              <plotting.TimelineChart timeline={timeline} threshold={threshold} onOpen={setOpenedNumber} />
            )}
          </div>
          <MarkLegend marks={timeline.marks} hasThreshold={threshold !== null} />
          <RequestTable requests={known.requests} onOpen={setOpenedNumber} />
          {known.hasOlder && (
            <Button size="small" className="mt-3" disabled={loaded.isLoading} onClick={loaded.loadOlder}>
              Load older than the {formatCount(known.requests.length, 'request')} shown
            </Button>
          )}
        </>
      )}
      {openedNumber !== null && (
        <RequestDialog
          key={openedNumber}
          sessionId={sessionId}
          number={openedNumber}
          onClose={() => setOpenedNumber(null)}
        />
      )}
    </div>
  )
}
