import type { HonoRequest, MiddlewareHandler } from 'hono'
import { ApiFailure } from '../api-failure.ts'
import { findLimits } from './route-limits.ts'
import type { RouteLimits } from './route-limits.ts'

/** Reads the body once, within its limits, and leaves it to the routes as JSON that is known to be good. */
export const readBody: MiddlewareHandler = async (context, next) => {
  const { method, path, raw } = context.req
  if (method === 'GET' || method === 'HEAD') return next()
  if (raw.body === null && !MAY_BE_SILENT.has(method)) return next()
  const limits = findLimits(path)
  if (Number(context.req.header('content-length') ?? 0) > limits.maxBytes) throw tooLarge(limits)
  if (limits.body === 'stream') return next()
  const text = raw.body === null ? '' : await receive(raw.body, limits)
  if (text !== '') {
    if (!isJson(context.req.header('content-type')))
      throw new ApiFailure('invalid-request', 'The body must be JSON: Content-Type: application/json.', 415)
    if (isTooDeep(text)) throw new ApiFailure('invalid-request', `The body is nested deeper than ${MAX_DEPTH} levels.`)
  }
  const headers = new Headers(raw.headers)
  // Where nothing is wished for, nothing need be said.
  if (text === '') headers.set('content-type', 'application/json')
  context.req.raw = new Request(raw.url, { method, headers, body: text === '' ? '{}' : text, signal: raw.signal })
  await next()
}

/** Routes of these read a body. */
const MAY_BE_SILENT: ReadonlySet<string> = new Set(['POST', 'PATCH'])

async function receive(body: ReadableStream<Uint8Array>, limits: RouteLimits): Promise<string> {
  const pieces = await Array.fromAsync(readPieces(body, limits))
  return pieces.join('')
}

/** The text of a request's body as it comes, within the limits of its route. */
export function readTextPieces({ path, raw }: HonoRequest): AsyncGenerator<string> {
  return readPieces(raw.body ?? new Blob([]).stream(), findLimits(path))
}

/** However it is sent: a body in chunks does not say how long it will be. */
async function* readPieces(body: ReadableStream<Uint8Array>, limits: RouteLimits): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const timer = setTimeout(() => void reader.cancel(LATE).catch(() => undefined), limits.receiveMs)
  const until = performance.now() + limits.receiveMs
  let bytes = 0
  let isOver = false
  async function next(): Promise<Uint8Array | null> {
    const { value, done } = await reader.read()
    isOver = done || performance.now() >= until
    if (performance.now() >= until) throw new ApiFailure('invalid-request', 'The body did not arrive in time.', 408)
    if (done) return null
    bytes += value.byteLength
    isOver = bytes > limits.maxBytes
    if (isOver) throw tooLarge(limits)
    return value
  }
  try {
    for (let value = await next(); value !== null; value = await next()) yield decode(decoder, value)
    yield decode(decoder)
  } finally {
    // A client that is refused half-way hears why only once it has sent the rest.
    while (!isOver) await next().catch(() => (isOver = true))
    clearTimeout(timer)
    void reader.cancel().catch(() => undefined)
  }
}

const LATE = 'the body did not arrive in time'

function tooLarge({ maxBytes }: RouteLimits): ApiFailure {
  return new ApiFailure('payload-too-large', `The body may have ${maxBytes} bytes.`)
}

/** Without bytes: the end, which must not cut a character in two. */
function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw new ApiFailure('invalid-request', 'The body is not valid UTF-8.')
  }
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/(?:[\w.-]+\+)?json(?:;|$)/i.test((contentType ?? '').replaceAll(' ', ''))
}

/** More than anybody writes, and few enough for every function that walks a value by calling itself. */
const MAX_DEPTH = 100

function isTooDeep(json: string): boolean {
  let depth = 0
  for (let index = 0; index < json.length; index += 1) {
    const sign = json[index]
    if (sign === '"') index = findStringEnd(json, index)
    else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

function findStringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return json.length
}
