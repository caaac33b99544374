// Audits one folder and prints what that took, as JSON. A process of its own, so that its memory is the audit's alone.
import { runAudit } from '@longhaul/audit'

export interface AuditRun {
  readonly sessions: number
  readonly problems: number
  readonly compactions: number
  readonly seconds: number
  /** Processor time of all threads of the audit together. */
  readonly processorSeconds: number
  readonly peakBytes: number
}

const begin = performance.now()
const folder = process.argv[2] ?? ''
const { sessions, problems, totals } = await runAudit({
  home: folder,
  env: {},
  paths: [folder],
  signal: new AbortController().signal,
})
const { user, system } = process.cpuUsage()
const run: AuditRun = {
  sessions: sessions.length,
  problems: problems.length,
  compactions: totals.compactions,
  seconds: (performance.now() - begin) / 1_000,
  processorSeconds: (user + system) / 1_000_000,
  peakBytes: process.resourceUsage().maxRSS * 1_024,
}
process.stdout.write(JSON.stringify(run))
