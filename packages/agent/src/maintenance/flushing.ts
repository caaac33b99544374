import { planFlush } from '@longhaul/engine'
import { describeError } from '../agent-error.ts'
import { noteWork } from '../session/active-session.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { isEmpty } from '../session/list-messages.ts'
import { readGauge } from '../session/read-gauge.ts'
import type { Budget } from './budget.ts'
import { detach, runFlush } from './flush.ts'

/** Saves what must last, one flush at a time. Only a store that takes nothing makes it throw. */
export interface Flushing {
  /** Beside the conversation, on a copy of it as it is now; unless one is under way. Nobody waits for it. */
  start(): void
  /** One that is under way, or else one now; resolves at its end, or when the signal is aborted. */
  run(turnId: string | null, signal: AbortSignal): Promise<void>
  /** For one that is under way; at once where there is none. */
  wait(signal: AbortSignal): Promise<void>
  /** Before something is lost whatever its size: once a cycle, where the policy has it. */
  runBeforeLoss(turnId: string | null, signal: AbortSignal): Promise<void>
  /** Gives up what is under way; none is started any more. Never throws. */
  stop(): Promise<void>
}

export function createFlushing(session: ActiveSession, budget: Budget): Flushing {
  const stopping = new AbortController()
  let beside: Promise<void> | null = null

  async function flush(turnId: string | null, signal: AbortSignal): Promise<void> {
    const copy = detach(session)
    if (await budget.hasMoney()) await runFlush(session, copy, { turnId, signal })
    else await skip(session)
  }

  /** Not noted as work of its owner: a note is about what must not be repeated, and has room for one thing. */
  async function flushBeside(): Promise<void> {
    try {
      await flush(null, stopping.signal)
    } catch (error) {
      session.agent.log({ level: 'warn', event: 'flush-lost', message: describeError(error) })
    }
  }

  async function wait(signal: AbortSignal): Promise<void> {
    if (beside !== null) await untilAborted(beside, signal)
  }

  async function run(turnId: string | null, signal: AbortSignal): Promise<void> {
    if (beside !== null) return wait(signal)
    await noteWork(session, { work: 'flush' })
    await flush(turnId, signal)
    await noteWork(session, null)
  }

  return {
    start() {
      if (!stopping.signal.aborted) beside ??= flushBeside().finally(() => void (beside = null))
    },
    run,
    wait,
    async runBeforeLoss(turnId, signal) {
      await wait(signal)
      if (isDueBeforeLoss(session)) await run(turnId, signal)
    },
    async stop() {
      stopping.abort()
      await beside
    },
  }
}

/** The day's money for maintenance is spent: counted as done for this cycle, so that it is not asked for at every step. */
async function skip(session: ActiveSession): Promise<void> {
  session.agent.log({ level: 'info', event: 'flush-skipped', message: 'No money left for maintenance today.' })
  await session.log.append([{ type: 'flush', outcome: 'skipped' }])
}

function isDueBeforeLoss(session: ActiveSession): boolean {
  const state = session.log.state()
  const { cycle, flush } = state.head
  const plan = planFlush({
    usedTokens: readGauge(session.context()).tokens,
    limits: session.limits(),
    policy: session.policy(),
    cycle,
    flushedCycle: flush.cycle,
    failuresThisCycle: flush.failures,
    isForced: true,
  })
  return plan.due && !isEmpty(state)
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const stop = (): void => resolve()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
