import type { AuditStatus, NewAudit } from '@longhaul/protocol'
import { useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { formatShare, formatWhen } from '../ui/text/format.ts'

const TIMES = [
  { days: 7, label: 'The last 7 days' },
  { days: 30, label: 'The last 30 days' },
  { days: null, label: 'All of them' },
] as const

export interface AuditStartProps {
  readonly status: AuditStatus
  /** The server has been asked and has not answered yet. */
  readonly isAsking: boolean
  readonly onStart: (wishes: NewAudit) => void
  readonly onStop: () => void
}

export function AuditStart({ status, isAsking, onStart, onStop }: AuditStartProps) {
  const [days, setDays] = useState<number | null>(30)
  const id = useId()
  const { state, share, endedAt, overview } = status
  return (
    <section aria-label="Audit this machine" className="space-y-4">
      <p className="max-w-prose text-[0.8125rem] text-muted">
        Reads the sessions that Claude Code, Codex, OpenClaw, pi, Gemini CLI and opencode keep on this machine, and says
        what their compactions lost. No model is asked, and nothing leaves this machine.
      </p>
      {state === 'running' ? (
        <div className="flex items-center gap-4">
          <div
            role="progressbar"
            aria-label="Sessions read"
            aria-valuenow={Math.round(share * 100)}
            className="h-2 min-w-0 flex-1 overflow-hidden rounded-full bg-line"
          >
            <div className="h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
          </div>
          <span role="status" className="w-24 text-sm tabular-nums">
            {formatShare(share)} read
          </span>
          <Button size="small" disabled={isAsking} onClick={onStop}>
            Stop
          </Button>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <label htmlFor={id} className="text-sm">
            Sessions
          </label>
          <select
            id={id}
            value={String(days)}
            onChange={({ target }) => setDays(target.value === 'null' ? null : Number(target.value))}
            className="h-10 rounded-xl border border-line bg-surface px-3 text-sm"
          >
            {TIMES.map((time) => (
              <option key={time.label} value={String(time.days)}>
                {time.label}
              </option>
            ))}
          </select>
          <Button look="primary" disabled={isAsking} onClick={() => onStart(days === null ? {} : { days })}>
            {overview === null ? 'Start' : 'Read again'}
          </Button>
          {endedAt !== null && overview !== null && (
            <span className="text-xs text-muted">Read {formatWhen(endedAt)}</span>
          )}
        </div>
      )}
    </section>
  )
}
