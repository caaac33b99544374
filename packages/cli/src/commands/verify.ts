import { verifyStore } from '@longhaul/runtime'
import { report } from '../program/invocation.ts'
import type { ExitCode, Invocation } from '../program/invocation.ts'
import { withStore } from '../system/open-system.ts'
import { formatCount, shortId } from '../terminal/format.ts'
import { startProgress } from '../terminal/progress.ts'

export interface VerifyOptions {
  readonly repair?: true
}

/** Reads everything and says what is wrong with it. Failed if damage is left. */
export async function runVerify(invocation: Invocation, { repair }: VerifyOptions): Promise<ExitCode> {
  const { paint } = invocation.output
  return withStore(invocation, async (store) => {
    const progress = await startProgress(invocation, 'Sessions read')
    const found = await verifyStore(store, {
      repair: repair === true,
      signal: invocation.signal,
      onProgress: ({ sessions, ofSessions }) => progress.at(sessions, ofSessions),
    })
    progress.end(`${formatCount(found.sessions, 'session')} read`)
    // What a repair puts right is listed all the same: a second look tells what is left.
    const left = found.repaired.length === 0 ? found : await verifyStore(store, { signal: invocation.signal })
    report(invocation, found, () => [
      ...found.problems.flatMap(({ sessionId, what, advice }) => [
        `${paint.red('✗')} ${sessionId === null ? '' : `${shortId(sessionId)}: `}${what}`,
        `  ${paint.dim(advice)}`,
      ]),
      ...found.notices.map(({ sessionId, what }) =>
        paint.dim(`· ${sessionId === null ? '' : `${shortId(sessionId)}: `}${what}`),
      ),
      ...found.repaired.map((id) => `${paint.green('✓')} ${shortId(id)}: its head was made anew`),
      left.problems.length === 0
        ? `${paint.green('✓')} ${formatCount(found.sessions, 'session')}, ${formatCount(found.entries, 'entry', 'entries')}: all is as it should be`
        : `${formatCount(left.problems.length, 'problem')} left`,
    ])
    return left.problems.length === 0 ? 0 : 1
  })
}
