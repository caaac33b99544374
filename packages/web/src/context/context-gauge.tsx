import { useClient } from '../app/client-context.tsx'
import { useLoaded } from '../app/use-loaded.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { GaugeBar } from './gauge-bar.tsx'
import { readGauge } from './read-gauge.ts'

export interface ContextGaugeProps {
  readonly sessionId: string
  /** Another number: the session's numbers may have changed. */
  readonly version: number
  readonly onOpen: () => void
}

/** How full the context is, small enough for a header; opens the panel that shows all of it. */
export function ContextGauge({ sessionId, version, onOpen }: ContextGaugeProps) {
  const client = useClient()
  const { value: status } = useLoaded(() => client.getStatus(sessionId), [client, sessionId, version])
  if (status === undefined || status.id !== sessionId) return null
  const reading = readGauge(status)
  return (
    <Tooltip text={`Context: ${reading.amount} (${reading.source}). ${reading.forecast}`} side="bottom">
      <button
        type="button"
        onClick={onOpen}
        aria-label={`Context ${reading.percent}: ${reading.amount}, ${reading.source}. ${reading.forecast}`}
        className="flex h-9 items-center gap-2 rounded-lg px-2.5 text-[0.8125rem] text-muted transition-colors hover:bg-hover hover:text-ink"
      >
        <span className="w-14 sm:w-20">
          <GaugeBar reading={reading} />
        </span>
        <span className="font-medium tabular-nums">{reading.percent}</span>
      </button>
    </Tooltip>
  )
}
