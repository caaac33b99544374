import { LoadState } from '../api/load-state.tsx'
import { Problem } from '../api/problem.tsx'
import { AuditFindings } from './audit-findings.tsx'
import { AuditStart } from './audit-start.tsx'
import { useAudit } from './use-audit.ts'

/** Shows what the agents on this machine forgot. The audit runs on this machine, when the user starts it. */
export function AuditPage() {
  const { loaded, start, stop } = useAudit()
  const { value } = loaded
  if (value === undefined) return <LoadState loaded={loaded} what="the audit" />
  const error = start.error ?? stop.error ?? loaded.error
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-4xl space-y-6 p-4 sm:p-6">
        <AuditStart
          status={value}
          isAsking={start.isRunning || stop.isRunning}
          onStart={start.run}
          onStop={() => stop.run()}
        />
        {error !== undefined && <Problem error={error} />}
        {value.error !== null && <Problem error={new Error(`The audit failed: ${value.error}`)} />}
        {value.overview !== null && <AuditFindings key={value.endedAt} overview={value.overview} />}
      </div>
    </div>
  )
}
