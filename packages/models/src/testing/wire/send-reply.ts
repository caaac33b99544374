import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { WireAnswer, WireBreak, WireFault } from './wire-reply.ts'
import type { Wire, WireContext, WireFrames } from './wire.ts'

/** Streams an answer piece by piece, with the waits and the break it is scripted to have. */
export async function sendAnswer(
  outgoing: ServerResponse,
  wire: Wire,
  answer: WireAnswer,
  context: WireContext,
): Promise<void> {
  const frames = wire.encode(answer, context)
  await pause(answer.delays?.firstByteMs)
  startStream(outgoing)
  const isWhole = await sendPieces(outgoing, frames, answer)
  if (!isWhole) return sendBreak(outgoing, wire, answer.breaksOff?.how ?? 'end')
  for (const frame of frames.closing) outgoing.write(frame)
  outgoing.end()
}

/** Answers in one response, after the waits that the stream would have had. A break leaves half of it. */
export async function sendWhole(
  outgoing: ServerResponse,
  wire: Wire,
  answer: WireAnswer,
  context: WireContext,
): Promise<void> {
  const { breaksOff, delays } = answer
  await pause(delays?.firstByteMs)
  await pause((delays?.pieceMs ?? 0) * wire.encode(answer, context).pieces.length)
  if (breaksOff === undefined) return sendJson(outgoing, { status: 200, body: wire.encodeWhole(answer, context) })
  if (breaksOff.how === 'stall') return
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  const body = JSON.stringify(wire.encodeWhole(answer, context))
  const half = body.slice(0, Math.floor(body.length / 2))
  if (breaksOff.how === 'reset') outgoing.write(half, () => outgoing.socket?.resetAndDestroy())
  else outgoing.end(half)
}

export function sendFault(outgoing: ServerResponse, reply: WireFault): void {
  switch (reply.fault) {
    case 'http':
      sendJson(outgoing, reply)
      return
    case 'reset':
      outgoing.socket?.resetAndDestroy()
      return
    case 'silence':
      return
    case 'empty-stream':
      startStream(outgoing)
      outgoing.end()
      return
    default:
      reply satisfies never
  }
}

export function sendJson(
  outgoing: ServerResponse,
  { status, body, headers }: { status: number; body: unknown; headers?: Readonly<Record<string, string>> },
): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** False where the answer is scripted to break off before its end. */
async function sendPieces(outgoing: ServerResponse, frames: WireFrames, answer: WireAnswer): Promise<boolean> {
  const { breaksOff, delays } = answer
  for (const frame of frames.opening) outgoing.write(frame)
  for (const [index, piece] of frames.pieces.entries()) {
    if (index === breaksOff?.afterPieces) return false
    await pause(delays?.pieceMs)
    if (outgoing.destroyed) return true
    // Each in a packet of its own: a client must not depend on how they are cut.
    await new Promise<void>((resolve) => outgoing.write(piece, () => resolve()))
  }
  return breaksOff === undefined || breaksOff.afterPieces > frames.pieces.length
}

function sendBreak(outgoing: ServerResponse, wire: Wire, how: WireBreak['how']): void {
  switch (how) {
    case 'stall':
      return
    case 'end':
      outgoing.end()
      return
    case 'reset':
      outgoing.socket?.resetAndDestroy()
      return
    case 'garbage':
      outgoing.end('data: {"type":"content_bl\n\ndata: <html>\n\n')
      return
    default:
      outgoing.end(wire.encodeError(how))
  }
}

function startStream(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  outgoing.flushHeaders()
}

async function pause(ms: number | undefined): Promise<void> {
  if (ms !== undefined) await delay(ms)
}
