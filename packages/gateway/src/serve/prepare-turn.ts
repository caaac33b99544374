import type { Overflow } from '@longhaul/models/overflow'
import { copyText, fromByteText } from '../json/bytes.ts'
import { spliceList } from '../list/splice-list.ts'
import type { Conversation } from '../recognize/conversation.ts'
import type { Surroundings, Wire } from '../wires/wire.ts'
import { createUpstreamAsk } from './ask-upstream.ts'
import type { GatewayCall, PreparedBody } from './gateway-call.ts'
import type { GatewayContext } from './gateway-context.ts'
import type { ClientRequest } from './read-request.ts'

/** A turn that is ready to be sent, with the conversation it belongs to. */
export interface PreparedTurn extends PreparedBody {
  readonly conversation: Conversation
  readonly request: ClientRequest
  /** The size of what is sent; null: nobody knows. */
  readonly tokens: number | null
  /** The part of the client's list that is not sent, by estimate. */
  readonly tokensNotSent: number
  readonly windowTokens: number | null
  /** The window that requests are made for: a smaller one, where a refusal has told so. null: nobody knows. */
  readonly limitTokens: number | null
  /** The number of this request in its conversation. */
  readonly number: number
}

/** Finds the conversation of a request, and makes the body that fits. */
export async function prepareTurn(
  call: GatewayCall,
  request: ClientRequest,
  context: GatewayContext,
): Promise<PreparedTurn> {
  const conversation = await context.directory.find(request.clues)
  return inUse(conversation, () => {
    conversation.list = request.list
    context.directory.keep(conversation)
    conversation.isCompacted = request.kind === 'compaction'
    return makeTurn(call, request, { conversation, context })
  })
}

/** The upstream refused a turn as too long: the body that is sent next; null: nothing is left that could go. */
export async function recoverTurn(
  call: GatewayCall,
  { conversation, request, bytes }: PreparedTurn,
  { refusal, context }: { readonly refusal: Overflow; readonly context: GatewayContext },
): Promise<PreparedTurn | null> {
  return inUse(conversation, async () => {
    conversation.list = request.list
    if (!(await conversation.session.refused({ ...refusal, signal: call.signal }))) return null
    const next = await makeTurn(call, request, { conversation, context })
    return next.bytes.equals(bytes) ? null : next
  })
}

/** One after the other, and with all that is held of the conversation. */
async function inUse<T>(conversation: Conversation, work: () => Promise<T>): Promise<T> {
  conversation.uses += 1
  try {
    return await conversation.inTurn(work)
  } finally {
    conversation.uses -= 1
  }
}

interface TurnContext {
  readonly conversation: Conversation
  readonly context: GatewayContext
}

async function makeTurn(
  call: GatewayCall,
  request: ClientRequest,
  { conversation, context }: TurnContext,
): Promise<PreparedTurn> {
  const { member, list, text, model } = request
  const { session } = conversation
  const windowTokens = findWindow(call, model, context)
  const { system, tools } = readSurroundings(conversation, request, call.wire)
  const sent = await session.sync(list.pieces, {
    system,
    tools,
    model: `${call.route.upstream}/${model}`,
    windowTokens,
    ask: createUpstreamAsk(call, member, context),
    signal: call.signal,
  })
  const spliced = spliceList({ text, list }, sent, call.wire)
  conversation.last = { list, sent }
  conversation.requests += 1
  // The very list comes back where something went wrong: then there is no size.
  const gauge = sent === list.pieces ? null : await session.control((controls) => controls.measure())
  const tokens = gauge?.tokens ?? null
  const share = spliced === null ? 0 : text.length / spliced.length - 1
  return {
    conversation,
    request,
    bytes: spliced === null ? call.bytes : fromByteText(spliced),
    isEdited: spliced !== null,
    tokens,
    tokensNotSent: (tokens ?? 0) * share,
    windowTokens,
    limitTokens: gauge?.windowTokens ?? windowTokens,
    number: conversation.requests,
  }
}

const LONG_WINDOW = 1_000_000

function findWindow({ route, incoming }: GatewayCall, model: string, { windowOf }: GatewayContext): number | null {
  const known = windowOf(route.upstream, model)
  const isLong = String(incoming.headers['anthropic-beta'] ?? '').includes('context-1m')
  return isLong && known !== null ? Math.max(known, LONG_WINDOW) : known
}

/** The same system text and tools keep the same objects, so that they are measured once. */
function readSurroundings(conversation: Conversation, { member }: ClientRequest, wire: Wire): Surroundings {
  const { surroundings } = conversation
  const system = member('system') ?? member('instructions') ?? ''
  const tools = member('tools') ?? ''
  if (surroundings !== null && surroundings.system === system && surroundings.tools === tools) return surroundings.read
  const read = wire.readSurroundings(member)
  conversation.surroundings = { system: copyText(system), tools: copyText(tools), read }
  return read
}
