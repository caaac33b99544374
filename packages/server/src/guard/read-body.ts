import type { MiddlewareHandler } from 'hono'
import { ApiFailure } from '../api-failure.ts'
import { findLimits } from './route-limits.ts'
import type { RouteLimits } from './route-limits.ts'

/** Reads the body once, within its limits, and leaves it to the routes as text that is known to be good. */
export const readBody: MiddlewareHandler = async (context, next) => {
  const { method, path, raw } = context.req
  if (method === 'GET' || method === 'HEAD') return next()
  if (raw.body === null && !MAY_BE_SILENT.has(method)) return next()
  const limits = findLimits(path)
  if (Number(context.req.header('content-length') ?? 0) > limits.maxBytes) throw tooLarge(limits)
  const text = raw.body === null ? '' : decode(await receive(raw.body, limits))
  if (text !== '' && limits.body === 'json') {
    if (!isJson(context.req.header('content-type')))
      throw new ApiFailure('invalid-request', 'The body must be JSON: Content-Type: application/json.', 415)
    if (isTooDeep(text)) throw new ApiFailure('invalid-request', `The body is nested deeper than ${MAX_DEPTH} levels.`)
  }
  const headers = new Headers(raw.headers)
  const isSilent = text === '' && limits.body === 'json'
  // Where nothing is wished for, nothing need be said.
  if (isSilent) headers.set('content-type', 'application/json')
  context.req.raw = new Request(raw.url, { method, headers, body: isSilent ? '{}' : text, signal: raw.signal })
  await next()
}

/** Routes of these read a body. */
const MAY_BE_SILENT: ReadonlySet<string> = new Set(['POST', 'PATCH'])

/** However it is sent: a body in chunks does not say how long it will be. */
async function receive(body: ReadableStream<Uint8Array>, limits: RouteLimits): Promise<Uint8Array> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  const timer = setTimeout(() => void reader.cancel(LATE).catch(() => undefined), limits.receiveMs)
  const until = performance.now() + limits.receiveMs
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (performance.now() >= until) throw new ApiFailure('invalid-request', 'The body did not arrive in time.', 408)
      if (done) return Buffer.concat(chunks)
      bytes += value.byteLength
      if (bytes > limits.maxBytes) throw tooLarge(limits)
      chunks.push(value)
    }
  } finally {
    clearTimeout(timer)
    void reader.cancel().catch(() => undefined)
  }
}

const LATE = 'the body did not arrive in time'

function tooLarge({ maxBytes }: RouteLimits): ApiFailure {
  return new ApiFailure('payload-too-large', `The body may have ${maxBytes} bytes.`)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
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
