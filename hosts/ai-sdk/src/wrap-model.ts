import { isRecord } from '@longhaul/engine/advanced'
import type { ToolSchema } from '@longhaul/engine'
import { findOverflow } from '@longhaul/models/overflow'
import { openStream, sendWithRoom } from '@longhaul/store/host'
import type { HostCall, HostSession } from '@longhaul/store/host'
import { wrapLanguageModel } from 'ai'
import type { Instructions, LanguageModel, ModelMessage } from 'ai'
import { isWritten } from './message-codec.ts'

export type ModelObject = ReturnType<typeof wrapLanguageModel>
type ModelParams = Parameters<ModelObject['doGenerate']>[0]

/** A list that `prepareStep` gave to the AI SDK, and the app's own list that it stands for. */
export interface PreparedList {
  readonly list: readonly ModelMessage[]
  readonly sent: readonly ModelMessage[]
  readonly instructions: Instructions | undefined
  /** The prompt made of it carries this name. */
  readonly name: string
}

export interface WrapOptions {
  readonly model: Exclude<LanguageModel, string>
  readonly session: HostSession<ModelMessage>
  readonly call: HostCall
  readonly lastPrepared: () => PreparedList | null
}

/**
 * A model that no prompt is too long for. It makes prompts fit where no `prepareStep` has done so, tells the meter what
 * was billed, and makes room and asks again where the provider refuses a prompt as too long.
 */
export function wrapModel({ model, session, call, lastPrepared }: WrapOptions): ModelObject {
  async function fit(asked: ModelParams, isRetry: boolean): Promise<ModelParams> {
    const { name, params } = takeName(asked)
    const prepared = name === null ? null : lastPrepared()
    // The list of a call beside this one: `prepareStep` made it fit, and nothing else is known of it.
    if (name !== null && prepared?.name !== name) return params
    const isMeasured = !noteTools(session, params)
    if (prepared !== null && isMeasured && !isRetry) return params
    const sent = await session.sync(prepared?.list ?? params.prompt, {
      ...call,
      tools: toolsOf(session),
      ...(prepared === null ? { system: null } : {}),
      signal: params.abortSignal,
    })
    if (prepared !== null && isSame(sent, prepared.sent)) return params
    return { ...params, prompt: await toPrompt(sent, { params, wrapped, instructions: prepared?.instructions }) }
  }

  const send = <T>(params: ModelParams, attempt: (fitting: ModelParams) => PromiseLike<T>): Promise<T> =>
    sendWithRoom({
      fit: (isRetry) => fit(params, isRetry),
      send: attempt,
      makeRoom: (error) => session.refused(findOverflow(error)),
    })

  const bill = ({ inputTokens: { total: input, cacheRead = 0, cacheWrite = 0 }, outputTokens }: ModelUsage): void => {
    if (input !== undefined) session.bill({ input, output: outputTokens.total ?? 0, cacheRead, cacheWrite })
  }

  const wrapped = wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: ({ params, model: inner }) =>
        send(params, async (fitting) => {
          const reply = await inner.doGenerate(fitting)
          bill(reply.usage)
          return reply
        }),
      wrapStream: ({ params, model: inner }) =>
        send(params, async (fitting) => {
          const { stream, ...reply } = await inner.doStream(fitting)
          return { ...reply, stream: ReadableStream.from(await openStream(readBills(stream, bill), isPrelude)) }
        }),
    },
  })
  return wrapped
}

type ModelStream = Awaited<ReturnType<ModelObject['doStream']>>['stream']
type StreamPart = ModelStream extends ReadableStream<infer P> ? P : never
type ModelUsage = Awaited<ReturnType<ModelObject['doGenerate']>>['usage']

async function* readBills(stream: ModelStream, bill: (usage: ModelUsage) => void): AsyncGenerator<StreamPart> {
  for await (const part of stream as unknown as AsyncIterable<StreamPart>) {
    if (part.type === 'finish') bill(part.usage)
    yield part
  }
}

/** Parts that come before any content: a refusal may still follow. Some providers send it as a part. */
function isPrelude(part: StreamPart): boolean {
  if (part.type === 'error' && findOverflow(part.error) !== null) throw part.error
  return part.type === 'stream-start' || part.type === 'response-metadata' || part.type === 'raw'
}

function isSame(list: readonly object[], other: readonly object[]): boolean {
  return list.length === other.length && list.every((message, index) => message === other[index])
}

/** Tells the wrapped model, through the AI SDK, which list a prompt was made of. Providers pass over options of others. */
export function nameList(name: string): { longhaul: { list: string } } {
  return { longhaul: { list: name } }
}

function takeName(params: ModelParams): { readonly name: string | null; readonly params: ModelParams } {
  const { longhaul, ...providerOptions } = params.providerOptions ?? {}
  if (!isRecord(longhaul)) return { name: null, params }
  return { name: String(longhaul['list']), params: { ...params, providerOptions } }
}

interface PromptOptions {
  readonly params: ModelParams
  readonly wrapped: ModelObject
  readonly instructions: Instructions | undefined
}

/** Messages of the prompt, and those that the codec wrote, can be sent; an app's own are converted as the AI SDK does it. */
async function toPrompt(
  sent: readonly ModelMessage[],
  { params, wrapped, instructions }: PromptOptions,
): Promise<ModelParams['prompt']> {
  const own = new Set<object>(params.prompt)
  if (sent.every((message) => own.has(message) || isWritten(message))) return sent as ModelParams['prompt']
  const { convertToLanguageModelPrompt } = await import('ai/internal')
  return convertToLanguageModelPrompt({
    prompt: { instructions, messages: [...sent] },
    supportedUrls: await wrapped.supportedUrls,
    download: undefined,
    ...(params.abortSignal === undefined ? {} : { abortSignal: params.abortSignal }),
    provider: wrapped.provider.split('.', 1)[0] as string,
  })
}

const known = new WeakMap<object, { readonly text: string; readonly tools: readonly ToolSchema[] }>()

/** The tools of a session's last call. The AI SDK does not tell them to `prepareStep`, though their size counts. */
export function toolsOf(session: object): readonly ToolSchema[] {
  return known.get(session)?.tools ?? []
}

/** True: these are not the tools of the call before, so the conversation is measured anew. */
function noteTools(session: object, { tools = [] }: ModelParams): boolean {
  const read = tools.flatMap((tool) =>
    tool.type === 'function'
      ? [{ name: tool.name, description: tool.description ?? '', inputSchema: tool.inputSchema }]
      : [],
  )
  const text = JSON.stringify(read)
  if ((known.get(session)?.text ?? '[]') === text) return false
  known.set(session, { text, tools: JSON.parse(text) as readonly ToolSchema[] })
  return true
}
