import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

export interface OpenedAnswer {
  readonly stream: ReadableStream<LanguageModelV4StreamPart>
}

/** Sends a request. The pieces of its answer are read from a stream, however the endpoint sends them. */
export type OpenAnswer = (options: LanguageModelV4CallOptions) => PromiseLike<OpenedAnswer>

export function openStream(model: LanguageModelV4): OpenAnswer {
  return (options) => model.doStream(options)
}

/** The endpoint answers in one response. Its parts are then told as a stream would tell them, so that both are read alike. */
export function openWhole(model: LanguageModelV4): OpenAnswer {
  return async (options) => ({ stream: ReadableStream.from(piecesOf(await model.doGenerate(options))) })
}

function piecesOf(result: LanguageModelV4GenerateResult): readonly LanguageModelV4StreamPart[] {
  const { content, finishReason, usage, providerMetadata } = result
  const metadata = providerMetadata === undefined ? {} : { providerMetadata }
  return [
    ...content.flatMap((part, index) => piecesOfPart(part, String(index))),
    { type: 'finish', finishReason, usage, ...metadata },
  ]
}

function piecesOfPart(part: LanguageModelV4Content, id: string): readonly LanguageModelV4StreamPart[] {
  const { providerMetadata } = part
  const metadata = providerMetadata === undefined ? {} : { providerMetadata }
  switch (part.type) {
    case 'text':
      return [
        { type: 'text-start', id },
        { type: 'text-delta', id, delta: part.text },
        { type: 'text-end', id, ...metadata },
      ]
    case 'reasoning':
      return [
        { type: 'reasoning-start', id },
        { type: 'reasoning-delta', id, delta: part.text },
        { type: 'reasoning-end', id, ...metadata },
      ]
    case 'tool-call':
    case 'tool-result':
    case 'tool-approval-request':
    case 'file':
    case 'reasoning-file':
    case 'source':
    case 'custom':
      return [part]
    default:
      return part satisfies never
  }
}
