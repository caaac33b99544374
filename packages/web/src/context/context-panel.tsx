import { useState } from 'react'
import { useClient } from '../app/client-context.tsx'
import { useLoaded } from '../app/use-loaded.ts'
import { Tabs } from '../ui/tabs.tsx'
import { CompactionsTab } from './compactions/compactions-tab.tsx'
import { GaugeCard } from './gauge-card.tsx'
import { PinsTab } from './pins/pins-tab.tsx'
import { TimelineTab } from './timeline/timeline-tab.tsx'
import { WindowTab } from './window/window-tab.tsx'

export interface ContextPanelProps {
  readonly sessionId: string
  /** Another number: the session's numbers may have changed. */
  readonly version: number
  /** Shows an original message in the chat. */
  readonly onCite: (messageId: string) => void
}

type TabName = 'window' | 'timeline' | 'compactions' | 'pins'

/** The context made visible: what the model will read, what it read before, what was summarised and what is pinned. */
export function ContextPanel({ sessionId, version: outerVersion, onCite }: ContextPanelProps) {
  const client = useClient()
  const [tab, setTab] = useState<TabName>('window')
  const [changes, setChanges] = useState(0)
  const onChange = (): void => setChanges((before) => before + 1)
  const version = outerVersion + changes
  const { value: status } = useLoaded(() => client.getStatus(sessionId), [client, sessionId, version])
  const shared = { sessionId, version }
  return (
    <div className="flex h-full min-h-0 flex-col">
      {status?.id === sessionId && <GaugeCard status={status} />}
      <div className="min-h-0 flex-1">
        <Tabs<TabName>
          key={sessionId}
          label="Views of the context"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { name: 'window', label: 'Window', content: <WindowTab {...shared} /> },
            { name: 'timeline', label: 'Timeline', content: <TimelineTab {...shared} /> },
            {
              name: 'compactions',
              label: 'Compactions',
              content: <CompactionsTab {...shared} onCite={onCite} onChange={onChange} />,
            },
            { name: 'pins', label: 'Pins', content: <PinsTab {...shared} onChange={onChange} /> },
          ]}
        />
      </div>
    </div>
  )
}
