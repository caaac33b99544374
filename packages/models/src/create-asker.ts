import type { AskModel, Part } from '@longhaul/engine/advanced'
import { ModelsError } from './models-error.ts'
import type { ModelCall } from './port/model-call.ts'
import type { Models } from './port/models.ts'

/** Calls for summaries: one request with one message, no retries, the whole answer at once. Rejects with `call-failed` and its bill. */
export function createAsker(stream: Models['stream'], sessionModel: string): AskModel {
  return async (
    { model, system, prompt, maxOutputTokens, temperature, stream: isStreamed = true, timeoutMs },
    signal,
  ) => {
    const call: ModelCall = {
      request: { system, messages: [{ role: 'user', parts: [{ type: 'text', text: prompt }] }], tools: [] },
      maxOutputTokens,
      temperature,
      stream: isStreamed,
      timeouts: { firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
      maxRetries: 0,
    }
    const id = model === 'session' ? sessionModel : model
    for await (const event of stream(id, call, toAbortSignal(signal))) {
      if (event.type === 'failure') {
        const { failure, usage } = event
        throw new ModelsError('call-failed', `${id}: ${failure.message}`, { failure, usage })
      }
      if (event.type !== 'finish') continue
      const text = event.parts.map(textIn).join('')
      return { text, finish: event.finish, ...(event.usage === null ? {} : { usage: event.usage }) }
    }
    throw new ModelsError('call-failed', `${id}: the stream ended without a word.`)
  }
}

function textIn(part: Part): string {
  return part.type === 'text' ? part.text : ''
}

/** The engine knows only whether it was aborted; whoever runs it hands in the real thing. */
function toAbortSignal(signal: { readonly aborted: boolean }): AbortSignal {
  if (signal instanceof AbortSignal) return signal
  return signal.aborted ? AbortSignal.abort() : new AbortController().signal
}
