import { AWKWARD_TEXTS, makeValue } from './make-value.ts'
import type { Schema, Vocabulary } from './make-value.ts'
import type { Random } from './random.ts'

/** The server's own description of itself, as far as it is read here. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}

export interface Route extends Operation {
  readonly method: string
  readonly path: string
}

export interface FuzzRequest {
  /** As the document has it, for reports. */
  readonly route: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export function listRoutes({ paths }: ApiDocument): readonly Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  )
}

export function makeRequest(random: Random, words: Vocabulary, route: Route): FuzzRequest {
  const { parameters = [] } = route
  const of = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const text = (parameter: Parameter): string => toText(makeValue(random, words, parameter.schema, parameter.name))
  const path = of('path').reduce(
    (filled, parameter) => filled.replace(`{${parameter.name}}`, makeSegment(random, text(parameter))),
    route.path,
  )
  const isUsed = ({ required }: Parameter): boolean => random.chance(required === true ? 0.97 : 0.4)
  const query = of('query').filter(isUsed)
  const strays = random.chance(0.05) ? [[random.pick(AWKWARD_TEXTS), random.pick(AWKWARD_TEXTS)]] : []
  const search = [...query.map((parameter) => [parameter.name, text(parameter)]), ...strays]
    .map(([key = '', value = '']) => `${encode(key)}=${encode(value)}`)
    .join('&')
  const headers = Object.fromEntries(
    of('header')
      .filter(isUsed)
      .map((each) => [each.name, toHeader(text(each))]),
  )
  const body = makeBody(random, words, route)
  return {
    route: `${route.method} ${route.path}`,
    method: random.chance(0.02) ? random.pick(['HEAD', 'OPTIONS', 'PUT']) : route.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: { ...headers, ...body.headers, ...makeHeaders(random) },
    ...(body.text === undefined ? {} : { body: body.text }),
  }
}

/** Mostly encoded as it should be; sometimes as it comes, where an address can hold it. */
function makeSegment(random: Random, text: string): string {
  return random.chance(0.05) ? random.pick(['%', '%zz', '%2e%2e', '%2F..%2F', '%ff', '..', '.']) : encode(text)
}

function makeHeaders(random: Random): Readonly<Record<string, string>> {
  if (random.chance(0.7)) return {}
  return random.pick([
    { accept: 'application/json' },
    { accept: 'text/event-stream' },
    { accept: '*/*;q=0' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=utf-7' },
    { origin: 'https://elsewhere.example' },
    { cookie: 'longhaul-1=a; '.repeat(100) },
    { authorization: 'Bearer ' },
    { 'if-none-match': '*' },
    { range: 'bytes=0-1,5-' },
    { expect: '100-continue' },
    { 'accept-encoding': 'br;q=x, gzip;;' },
    { 'last-event-id': '999999999999999' },
  ])
}

interface Body {
  readonly headers: Readonly<Record<string, string>>
  readonly text?: string
}

function makeBody(random: Random, words: Vocabulary, { method, requestBody }: Route): Body {
  if (method === 'GET') return { headers: {} }
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined || content === undefined)
    return random.chance(0.9) ? { headers: {} } : { headers: { 'content-type': 'application/json' }, text: '{}' }
  const headers = { 'content-type': type }
  if (random.chance(0.03)) return { headers, text: random.pick(['{', '[1,', '{"a":}', '\uFEFF{}', 'NaN', deep(5_000)]) }
  if (type !== 'application/json') return { headers, text: makeTranscript(random) }
  return { headers, text: JSON.stringify(makeValue(random, words, content.schema)) }
}

function deep(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
}

const LINES = [
  '{"type":"session","version":1,"id":"made","createdAt":1}',
  '{"type":"session","version":1,"id":"..","createdAt":1}',
  '{"type":"session","version":1,"id":"made","createdAt":"x","title":5}',
  '{"type":"message","seq":1,"id":"m1","at":1,"role":"user","parts":[{"type":"text","text":"Hello"}]}',
  '{"type":"message","seq":9,"id":"m1","at":-1,"role":"assistant","parts":[{"type":"tool-call","toolCallId":"c","toolName":"x","input":{}}]}',
  '{"type":"compaction","seq":3,"id":"c1","at":1,"fromSeq":99,"document":{"version":1,"sections":[]}}',
  '{"type":"settings","seq":2,"id":"s","at":1,"policy":{"preset":7}}',
  '{"type":"hologram","seq":2,"id":"h","at":1}',
  '{"type":"artifact","id":"a1","content":"output"}',
  '{"type":"pin","seq":4,"id":"p","at":1,"text":"Remember"}',
  '{"messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":[]}]}',
  '{"role":"user","content":"Hello"}',
  '[]',
  '{',
  '',
  `{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}`,
]

function makeTranscript(random: Random): string {
  const lines = Array.from({ length: random.below(8) }, () => random.pick(LINES))
  return (random.chance(0.6) ? [LINES[0], ...lines] : lines).join('\n')
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** What a client can put into a header at all. */
function toHeader(text: string): string {
  return text.replaceAll(/[^\u0020-\u007E]/g, '?')
}
