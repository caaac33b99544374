import type { AgentEvent, Instruments } from '@longhaul/runtime'
import type { Metrics } from './metrics/create-metrics.ts'
import { traceModels } from './traces/trace-models.ts'
import { createTurnTraces } from './traces/trace-turns.ts'

export interface InstrumentOptions {
  readonly metrics: Metrics
  /** OpenTelemetry's own switch, `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`; off unless it says so. */
  readonly doesCaptureContent?: boolean
}

/** For `createRuntime`: what sessions and models do becomes numbers and spans. */
export function createInstruments({ metrics, doesCaptureContent = wantsContent() }: InstrumentOptions): Instruments {
  const turns = createTurnTraces()
  return {
    models: (models) => traceModels(models, { metrics, turns, doesCaptureContent }),
    store: (store) => ({
      ...store,
      events: {
        ...store.events,
        add(sessionId, at, events) {
          for (const event of events as unknown as readonly AgentEvent[]) {
            metrics.countEvent(event, at)
            turns.see(sessionId, event)
          }
          return store.events.add(sessionId, at, events)
        },
      },
    }),
  }
}

function wantsContent(): boolean {
  return process.env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']?.toLowerCase() === 'true'
}
