import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { findOverflow } from '@longhaul/models/overflow'
import type { Overflow } from '@longhaul/models/overflow'
import { createUsageReader } from '../upstream/create-usage-reader.ts'
import { peekFailure } from '../upstream/peek-failure.ts'
import { pipeAnswer, readFault } from '../upstream/pipe-answer.ts'
import type { GatewayCall } from './gateway-call.ts'
import type { Tally } from './create-tally.ts'
import type { GatewayContext } from './gateway-context.ts'
import { recoverTurn } from './prepare-turn.ts'
import type { PreparedTurn } from './prepare-turn.ts'
import { sendUpstream } from './send-upstream.ts'
import { tryInTime } from './try-in-time.ts'

const MAX_RECOVERIES = 3

/** Sends a turn, makes it smaller where the upstream refuses it, and passes the answer on. */
export async function serveTurn(call: GatewayCall, prepared: PreparedTurn, context: GatewayContext): Promise<void> {
  const { tally, log } = context
  const otherwise = `a refusal of ${call.route.upstream} is passed on`
  let turn = prepared
  let isOriginal = false
  for (let recoveries = 0; ;) {
    const { answer, head, isFault, refusal } = await sendTurn(call, turn, { isOriginal, context })
    if (refusal !== null) {
      tally.refusedUpstream()
      const mayRecover = !isOriginal && recoveries < MAX_RECOVERIES
      const work = mayRecover ? recoverTurn(call, turn, { refusal, context }) : null
      const smaller = work === null ? null : await tryInTime(work, { call, context, otherwise })
      if (smaller !== null) {
        answer.destroy()
        turn = smaller
        recoveries += 1
        continue
      }
    } else if (isFault && turn.isEdited && !isOriginal && isInvalid(answer)) {
      log(`gateway: the upstream found an edited request invalid (${answer.statusCode}), so the original is sent`)
      answer.destroy()
      isOriginal = true
      continue
    } else if (!isFault) note(turn, { isOriginal, recoveries, tally })
    return passAnswer(call, turn, { answer, head, isOriginal, isBilled: !isFault && refusal === null && !isOriginal })
  }
}

interface SentTurn {
  readonly answer: IncomingMessage
  /** The start of the answer, where it was looked at already. */
  readonly head: Buffer | null
  /** The upstream answered with an error's status. */
  readonly isFault: boolean
  /** null: the request was not too long. */
  readonly refusal: Overflow | null
}

async function sendTurn(
  call: GatewayCall,
  turn: PreparedTurn,
  { isOriginal, context }: { readonly isOriginal: boolean; readonly context: GatewayContext },
): Promise<SentTurn> {
  const answer = await sendUpstream(call, isOriginal ? call.bytes : turn.bytes, context)
  if ((answer.statusCode ?? 500) >= 400) {
    const head = await readFault(answer)
    return { answer, head, isFault: true, refusal: readRefusal(answer, head) }
  }
  if (!mayFailLate(answer, turn)) return { answer, head: null, isFault: false, refusal: null }
  const { head, error } = await peekFailure(answer)
  return { answer, head, isFault: false, refusal: findOverflow(error) }
}

/** Such as thinking that belongs to another conversation. Refusals for other reasons would meet the original too. */
function isInvalid({ statusCode }: IncomingMessage): boolean {
  return statusCode === 400 || statusCode === 413 || statusCode === 422
}

function readRefusal(answer: IncomingMessage, fault: Buffer): Overflow | null {
  const text = fault.toString('utf8')
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // A proxy's page, perhaps: its words are looked at all the same.
  }
  return findOverflow({ status: answer.statusCode, message: text, body })
}

interface Outcome {
  readonly isOriginal: boolean
  readonly recoveries: number
  readonly tally: Tally
}

function note(turn: PreparedTurn, { isOriginal, recoveries, tally }: Outcome): void {
  const { isEdited, tokens, tokensNotSent, limitTokens } = turn
  const isSmaller = isEdited && !isOriginal
  if (isSmaller) tally.edited(tokensNotSent)
  const wouldNotFit = isSmaller && limitTokens !== null && (tokens ?? 0) + tokensNotSent > limitTokens
  if (recoveries > 0 || wouldNotFit) tally.refusalAvoided()
}

const NEAR_SHARE = 0.5

/** Only a request that may be too large is worth a look at the start of its stream. */
function mayFailLate(
  { headers }: IncomingMessage,
  { tokens, windowTokens, limitTokens, request }: PreparedTurn,
): boolean {
  const isStream = request.wire === 'openai-responses' && String(headers['content-type']).includes('event-stream')
  return isStream && (windowTokens === null || tokens === null || tokens > (limitTokens ?? 0) * NEAR_SHARE)
}

interface Passing extends Pick<SentTurn, 'answer' | 'head'> {
  readonly isOriginal: boolean
  /** The answer's usage is that of the request that was made here. */
  readonly isBilled: boolean
}

async function passAnswer(
  call: GatewayCall,
  turn: PreparedTurn,
  { answer, head, isOriginal, isBilled }: Passing,
): Promise<void> {
  const usage = createUsageReader(call.wire)
  const headers = describeTurn(turn, isOriginal)
  if (head !== null) usage.watch(head)
  const isComplete = await pipeAnswer(answer, call.outgoing, {
    headers,
    watch: usage.watch,
    ...(head === null ? {} : { head }),
  })
  const bill = isComplete && isBilled ? usage.read() : null
  const { conversation, number } = turn
  // A later request of the same conversation has its own bill.
  if (bill !== null && conversation.requests === number) conversation.session.bill(bill)
}

function describeTurn({ conversation, isEdited, tokens }: PreparedTurn, isOriginal: boolean): OutgoingHttpHeaders {
  return {
    'x-longhaul-session': conversation.session.id,
    'x-longhaul-view': isEdited && !isOriginal ? 'edited' : 'verbatim',
    ...(tokens === null || isOriginal ? {} : { 'x-longhaul-tokens': String(tokens) }),
  }
}
