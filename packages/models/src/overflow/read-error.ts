import { STATUS_CODES } from 'node:http'
import { isRecord } from '@longhaul/engine/advanced'
import type { ProviderError } from './provider-error.ts'

/** What a provider's error says, wherever in it the provider put it. */
export interface ErrorFacts {
  readonly status: number | null
  /** Codes and types, in lower case. */
  readonly codes: readonly string[]
  /** In the provider's words, for people. */
  readonly said: readonly string[]
  /** What patterns look at: the same and, where the body is not JSON, the body. Bounded. */
  readonly text: string
  /** Counts that stand in fields of their own. */
  readonly counts: { readonly actual: number | null; readonly limit: number | null }
  /** Google's advice when to try again, such as `20s`. */
  readonly retryDelay: string | null
}

const MAX_TEXT_CHARS = 20_000
const MAX_JSON_CHARS = 1_000_000
const MAX_DEPTH = 6
const MAX_ITEMS = 10

const TEXT_KEYS = ['message', 'msg', 'status_msg', 'error_message', 'detail', 'error', 'raw'] as const
const CODE_KEYS = ['code', 'type', 'status', 'reason', 'error_code', '__type'] as const
const NESTED_KEYS = ['error', 'errors', 'response', 'metadata', 'detail', 'details', 'base_resp'] as const

/** They say no more than the status 400 does. */
const BAD_REQUEST_CODES: readonly string[] = ['invalid_request_error', 'invalid_argument', 'validationexception']

/**
 * Reads named fields only: endpoints that check their input quote it in the error, and a conversation quoted there may
 * be about overflows.
 */
export function readError(error: ProviderError): ErrorFacts {
  const found: Found = { said: [], codes: [], other: [], actual: null, limit: null, retryDelay: null }
  for (const code of [error.code, error.type]) addCode(found, code)
  if (!isFiller(error)) readText(found, error.message, 0)
  const body = parseBody(error.body)
  if (typeof body === 'string') found.other.push(body)
  else readFields(found, body, 0)
  return {
    status: readStatus(error.status, found.codes),
    codes: found.codes,
    said: found.said,
    text: [...found.said, ...found.other].join('\n').slice(0, MAX_TEXT_CHARS),
    counts: { actual: found.actual, limit: found.limit },
    retryDelay: found.retryDelay,
  }
}

interface Found {
  readonly said: string[]
  readonly codes: string[]
  readonly other: string[]
  actual: number | null
  limit: number | null
  retryDelay: string | null
}

function readFields(found: Found, value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, MAX_ITEMS)) readFields(found, item, depth + 1)
    return
  }
  if (!isRecord(value)) return
  for (const key of CODE_KEYS) addCode(found, value[key])
  for (const key of TEXT_KEYS) {
    const text = value[key]
    if (typeof text === 'string') readText(found, text, depth + 1)
  }
  for (const key of NESTED_KEYS) if (typeof value[key] === 'object') readFields(found, value[key], depth + 1)
  found.actual ??= numberIn(value['n_prompt_tokens'])
  found.limit ??= numberIn(value['n_ctx'])
  if (typeof value['retryDelay'] === 'string') found.retryDelay ??= value['retryDelay']
}

/** Text that is JSON as its value, any other text as it is, nothing as null. */
function parseBody(body: unknown): unknown {
  if (typeof body !== 'string') return body ?? null
  const text = body.slice(0, MAX_JSON_CHARS).trim()
  if (text === '') return null
  if (!/^[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Proxies hand on what they got as a string of JSON. */
function readText(found: Found, text: string, depth: number): void {
  const value = parseBody(text)
  if (typeof value !== 'string') return readFields(found, value, depth)
  const words = value.slice(0, MAX_TEXT_CHARS)
  if (!found.said.includes(words)) found.said.push(words)
}

/** What clients put in the place of a message that is missing: it says no more than the status does. */
function isFiller({ message, status }: ProviderError): boolean {
  const words = message.slice(0, 100).trim().toLowerCase()
  const phrases = [STATUS_CODES[status ?? 0], `${status} status code (no body)`]
  if (status === 413) phrases.push('Request Entity Too Large')
  return phrases.some((phrase) => phrase?.toLowerCase() === words)
}

function addCode(found: Found, code: unknown): void {
  if (typeof code !== 'string' && typeof code !== 'number') return
  const name = String(code).slice(0, 100).toLowerCase()
  if (name !== '' && !found.codes.includes(name)) found.codes.push(name)
}

/** An error inside an answer that began with 200 has its status, if any, among its codes. */
function readStatus(status: number | null, codes: readonly string[]): number | null {
  if (status !== null && status >= 300) return status
  const code = codes.map(Number).find((value) => Number.isInteger(value) && value >= 400 && value < 600)
  return code ?? (codes.some((name) => BAD_REQUEST_CODES.includes(name)) ? 400 : null)
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
