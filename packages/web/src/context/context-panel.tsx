import { Tabs } from '../ui/tabs.tsx'
import { CompactionsTab } from './compactions/compactions-tab.tsx'
import type { ContextTab, ContextView } from './context-view.ts'
import { GaugeCard } from './gauge-card.tsx'
import type { GaugeReading } from './read-gauge.ts'
import { PinsTab } from './pins/pins-tab.tsx'
import { TimelineTab } from './timeline/timeline-tab.tsx'
import { WindowTab } from './window/window-tab.tsx'

export interface ContextPanelProps {
  readonly sessionId: string
  /** Null until it is loaded. */
  readonly reading: GaugeReading | null
  /** Where a compaction starts; null: unknown. */
  readonly threshold: number | null
  /** Another number: the session's numbers may have changed. */
  readonly version: number
  /** Another number: so may its compactions. */
  readonly compactionsVersion: number
  readonly view: ContextView
  readonly onView: (view: ContextView) => void
  /** Shows an original message in the chat. */
  readonly onCite: (messageId: string) => void
  /** Something was changed here. */
  readonly onChange: () => void
}

/** The context made visible: what the model will read, what it read before, what was summarised and what is pinned. */
export function ContextPanel(props: ContextPanelProps) {
  const { sessionId, reading, threshold, version, compactionsVersion, view, onView, onCite, onChange } = props
  return (
    <div className="flex h-full min-h-0 flex-col">
      {reading !== null && <GaugeCard reading={reading} />}
      <div className="min-h-0 flex-1">
        <Tabs<ContextTab>
          key={sessionId}
          label="Views of the context"
          selected={view.tab}
          onSelect={(tab) => onView({ tab, compactionId: null })}
          tabs={[
            { name: 'window', label: 'Window', content: <WindowTab sessionId={sessionId} version={version} /> },
            {
              name: 'timeline',
              label: 'Timeline',
              content: (
                <TimelineTab
                  sessionId={sessionId}
                  version={version}
                  compactionsVersion={compactionsVersion}
                  threshold={threshold}
                />
              ),
            },
            {
              name: 'compactions',
              label: 'Compactions',
              content: (
                <CompactionsTab
                  sessionId={sessionId}
                  version={compactionsVersion}
                  view={view}
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
