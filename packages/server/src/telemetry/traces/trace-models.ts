import { SpanKind, context } from '@opentelemetry/api'
import type { Attributes, Context, Span } from '@opentelemetry/api'
import { readFailedBill } from '@longhaul/runtime'
import type { ModelCall, ModelEvent, Models, Usage } from '@longhaul/runtime'
import type { Metrics } from '../metrics/create-metrics.ts'
import type { TurnTraces } from './trace-turns.ts'
import { findTracer, markFailed } from './tracer.ts'

export interface ModelTraceOptions {
  readonly metrics: Metrics
  readonly turns: Pick<TurnTraces, 'contextOf'>
  /** Puts prompts and answers into the spans: what people wrote leaves this process with them. */
  readonly doesCaptureContent: boolean
}

const OVERFLOWS: ReadonlySet<string> = new Set(['input-overflow', 'output-overflow', 'request-too-large'])

/** Every call counted, and a span by the GenAI conventions; summaries too. */
export function traceModels(models: Models, options: ModelTraceOptions): Models {
  const { metrics, turns, doesCaptureContent } = options

  function startCall(model: string, attributes: Attributes, parent: Context): Span {
    return findTracer().startSpan(
      `chat ${nameOf(model)}`,
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': models.describe(model).provider,
          'gen_ai.request.model': nameOf(model),
          ...attributes,
        },
      },
      parent,
    )
  }

  async function* stream(model: string, call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const span = startCall(model, describeCall(call), turns.contextOf(call.cacheKey))
    if (doesCaptureContent) span.setAttributes(quoteRequest(call))
    try {
      for await (const event of models.stream(model, call, signal)) {
        if (event.type === 'finish' || event.type === 'failure') {
          noteUsage(span, metrics, model, event.usage)
          if (doesCaptureContent) span.setAttribute('gen_ai.output.messages', quote('assistant', event.parts))
        }
        if (event.type === 'finish') span.setAttribute('gen_ai.response.finish_reasons', [event.finish])
        if (event.type === 'failure') {
          markFailed(span, event.failure.kind)
          if (OVERFLOWS.has(event.failure.kind)) metrics.countOverflow(model, event.failure.kind)
        }
        yield event
      }
    } finally {
      span.end()
    }
  }

  return {
    ...models,
    stream,
    asker(sessionModel) {
      const ask = models.asker(sessionModel)
      return async (request, signal) => {
        const model = request.model === 'session' ? sessionModel : request.model
        const { maxOutputTokens, temperature, system, prompt } = request
        const span = startCall(model, describeCall({ maxOutputTokens, temperature }), context.active())
        const parts = [{ type: 'text', text: prompt }] as const
        if (doesCaptureContent)
          span.setAttributes(quoteRequest({ request: { system, messages: [{ role: 'user', parts }] } }))
        try {
          const reply = await ask(request, signal)
          noteUsage(span, metrics, model, reply.usage ?? null)
          span.setAttribute('gen_ai.response.finish_reasons', [reply.finish])
          return reply
        } catch (error) {
          noteUsage(span, metrics, model, readFailedBill(error) ?? null)
          markFailed(span, 'summary-failed')
          throw error
        } finally {
          span.end()
        }
      }
    },
  }
}

function nameOf(model: string): string {
  return model.slice(model.indexOf('/') + 1)
}

function describeCall(call: Pick<ModelCall, 'maxOutputTokens' | 'temperature' | 'cacheKey'>): Attributes {
  const { maxOutputTokens, temperature, cacheKey } = call
  return {
    'gen_ai.request.max_tokens': maxOutputTokens,
    ...(temperature === undefined ? {} : { 'gen_ai.request.temperature': temperature }),
    ...(cacheKey === undefined ? {} : { 'gen_ai.conversation.id': cacheKey }),
  }
}

function noteUsage(span: Span, metrics: Metrics, model: string, usage: Usage | null): void {
  if (usage === null) return
  const { input, output, cacheRead = 0, cacheWrite = 0 } = usage
  metrics.countTokens({ model, input, output, cacheRead, cacheWrite })
  span.setAttributes({
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': cacheWrite,
  })
}

function quoteRequest({ request }: { readonly request: Omit<ModelCall['request'], 'tools'> }): Attributes {
  return {
    'gen_ai.input.messages': JSON.stringify(request.messages),
    ...(request.system === null ? {} : { 'gen_ai.system_instructions': request.system }),
  }
}

function quote(role: string, parts: unknown): string {
  return JSON.stringify([{ role, parts }])
}
