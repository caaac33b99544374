import type { AskModel, CancelSignal, SummaryReply } from '../compaction/strategy.ts'
import type { Ask } from './context-options.ts'
import type { Clock, StopSignal } from './ports.ts'
import { createStop } from './runtime.ts'

/** The caller's way to a model, with the time-out that a request states: a call that never ends is a failed call. */
export function askWithin(clock: Clock, ask: Ask | undefined): AskModel {
  if (ask === undefined) return () => Promise.reject(new Error('There is no model to ask.'))
  return async (request, signal) => {
    const stop = createStop()
    const cancelTimer = clock.after(request.timeoutMs, () => stop.abort())
    const forward = (): void => stop.abort()
    if (canListen(signal)) signal.addEventListener('abort', forward)
    try {
      const stopped = new Promise<never>((_resolve, reject) => {
        stop.signal.addEventListener('abort', () => reject(new Error(signal.aborted ? 'cancelled' : 'timed out')))
      })
      const answer = await Promise.race([ask(request, stop.signal), stopped])
      return readReply(answer)
    } finally {
      cancelTimer()
      if (canListen(signal)) signal.removeEventListener('abort', forward)
    }
  }
}

function readReply(answer: Awaited<ReturnType<Ask>>): SummaryReply {
  if (typeof answer === 'string') return { text: answer, finish: 'stop' }
  const text: unknown = answer?.text
  if (typeof text !== 'string') throw new Error('ask must return a text, or { text }')
  const { usage, ...said } = answer
  return { finish: 'stop', ...said, ...(usage === null || usage === undefined ? {} : { usage }) }
}

function canListen(signal: CancelSignal): signal is StopSignal {
  return 'addEventListener' in signal
}
