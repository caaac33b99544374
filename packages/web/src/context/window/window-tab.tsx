import type { ContextItem } from '@longhaul/protocol'
import { useMemo, useState } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { useLoaded } from '../../api/use-loaded.ts'
import { LoadState } from '../../api/load-state.tsx'
import { ItemDialog } from './items/item-dialog.tsx'
import { ItemList } from './items/item-list.tsx'
import { LayerChart } from './layer-chart.tsx'
import type { LayerId } from './layers.ts'
import { planLayers } from './plan-layers.ts'
import { scaleItems } from './scale-items.ts'

export interface WindowTabProps {
  readonly sessionId: string
  readonly version: number
}

/** What the next request would hold: drawn as layers, then item by item. */
export function WindowTab({ sessionId, version }: WindowTabProps) {
  const client = useClient()
  const loaded = useLoaded(() => client.getContext(sessionId), [client, sessionId, version])
  const [only, setOnly] = useState<LayerId | null>(null)
  const [opened, setOpened] = useState<ContextItem | null>(null)
  const { value: report } = loaded
  const items = useMemo(() => (report === undefined ? [] : scaleItems(report)), [report])
  if (report === undefined) return <LoadState loaded={loaded} what="the context" />
  return (
    <div className="px-4 py-4">
      <h2 className="text-sm font-semibold">What the model will read next</h2>
      <p className="mt-1 text-[0.8125rem] text-muted">
        A model reads everything anew with each message, and only as much as fits into its <em>context window</em>. This
        is that window, and what your next message will find in it.
      </p>
      <LayerChart
        plan={planLayers(items, report)}
        isWindowKnown={report.window !== null}
        selected={only}
        onSelect={(layer) => setOnly((before) => (before === layer ? null : layer))}
      />
      <ItemList items={items} only={only} onShowAll={() => setOnly(null)} onOpen={setOpened} />
      {opened !== null && (
        <ItemDialog key={opened.id} sessionId={sessionId} item={opened} onClose={() => setOpened(null)} />
      )}
    </div>
  )
}
