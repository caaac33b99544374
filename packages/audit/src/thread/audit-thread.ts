import { parentPort, workerData } from 'node:worker_threads'
import { createRegistry } from '@longhaul/models/prices'
import { describeError } from '../find/describe-error.ts'
import type { FoundSession } from '../find/agent-session.ts'
import { auditSession } from '../measure/audit-session.ts'
import { readSession } from '../read/read-session.ts'
import type { AuditProblem, SessionAudit } from '../report/audit-report.ts'
import type { ThreadAnswer, ThreadRequest, ThreadSettings } from './create-audit-thread.ts'

/** Started by `createAuditThread`. One request at a time, each answered once, with progress before that. */
const { windowTokens } = workerData as ThreadSettings
const registry = createRegistry()
/** The thread is ended from outside. */
const { signal } = new AbortController()

const PROGRESS_BYTES = 1024 * 1024

async function audit(found: FoundSession): Promise<ThreadAnswer> {
  let [read, told] = [0, 0]
  const onProgress = (bytes: number): void => {
    read += bytes
    if (read - told < PROGRESS_BYTES) return
    told = read
    send({ type: 'progress', bytes: read })
  }
  const { sessions, problems } = await readSession(found, { onProgress })
  const audits: SessionAudit[] = []
  const failures: AuditProblem[] = []
  for (const session of sessions) {
    try {
      audits.push(await auditSession(session, { windowTokens: windowTokens ?? undefined, registry, signal }))
    } catch (error) {
      failures.push({ path: found.path, line: null, reason: `it could not be measured: ${describeError(error)}` })
    }
  }
  return { type: 'audited', sessions: audits, problems: [...problems, ...failures] }
}

function send(answer: ThreadAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answer)
}

parentPort?.on('message', (request: ThreadRequest) => {
  if (request.type === 'close') parentPort?.close()
  else void audit(request.found).then(send)
})
