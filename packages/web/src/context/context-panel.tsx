import type { SessionStatus } from '@longhaul/protocol'
import { useState } from 'react'
import { Tabs } from '../ui/tabs.tsx'
import { CompactionsTab } from './compactions/compactions-tab.tsx'
import { GaugeCard } from './gauge-card.tsx'
import { PinsTab } from './pins/pins-tab.tsx'
import { TimelineTab } from './timeline/timeline-tab.tsx'
import { WindowTab } from './window/window-tab.tsx'

export interface ContextPanelProps {
  readonly sessionId: string
  /** Undefined until it is loaded. */
  readonly status: SessionStatus | undefined
  /** Another number: the session's numbers may have changed. */
  readonly version: number
  /** Another number: so may its compactions. */
  readonly compactionsVersion: number
  /** Shows an original message in the chat. */
  readonly onCite: (messageId: string) => void
  /** Something was changed here. */
  readonly onChange: () => void
}

type TabName = 'window' | 'timeline' | 'compactions' | 'pins'

/** The context made visible: what the model will read, what it read before, what was summarised and what is pinned. */
export function ContextPanel(props: ContextPanelProps) {
  const { sessionId, status, version, compactionsVersion, onCite, onChange } = props
  const [tab, setTab] = useState<TabName>('window')
  return (
    <div className="flex h-full min-h-0 flex-col">
      {status !== undefined && <GaugeCard status={status} />}
      <div className="min-h-0 flex-1">
        <Tabs<TabName>
          key={sessionId}
          label="Views of the context"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { name: 'window', label: 'Window', content: <WindowTab sessionId={sessionId} version={version} /> },
            {
              name: 'timeline',
              label: 'Timeline',
              content: (
                <TimelineTab sessionId={sessionId} version={version} threshold={status?.tokens.threshold ?? null} />
              ),
            },
            {
              name: 'compactions',
              label: 'Compactions',
              content: (
                <CompactionsTab
                  sessionId={sessionId}
                  version={compactionsVersion}
                  onCite={onCite}
                  onChange={onChange}
                />
              ),
            },
            {
              name: 'pins',
              label: 'Pins',
              content: <PinsTab sessionId={sessionId} version={version} onChange={onChange} />,
            },
          ]}
        />
      </div>
    </div>
  )
}
