import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { RawRequest } from './send-raw.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Requests that a server must refuse, whatever they hold. The session is there; nothing may happen to it. */
export function arbitraryRequest(sessionId: string): Arbitrary<RawRequest> {
  const session = `/api/sessions/${sessionId}`
  const anyRoute = fc.constantFrom(...listSessionRoutes(session), ...OTHER_ROUTES)
  const toAnyRoute = (body: Arbitrary<string | Uint8Array>): Arbitrary<RawRequest> =>
    fc.tuple(anyRoute, body).map(([route, text]) => ({ ...route, headers: JSON_TYPE, body: text }))
  const get = (path: string): RawRequest => ({ method: 'GET', path, headers: {} })
  return fc.oneof(
    { weight: 6, arbitrary: toAnyRoute(wrongBody) },
    { weight: 3, arbitrary: toAnyRoute(brokenText) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(anyRoute, wrongType)
        .map(([route, type]) => ({ ...route, headers: { 'content-type': type }, body: '{}' })),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...listGoodRequests(session)), foreignHeaders)
        .map(([good, headers]) => ({ ...good, headers: { ...good.headers, ...headers } })),
    },
    { weight: 3, arbitrary: strayPath.map(get) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(wrongMethod, fc.constantFrom(session, '/api/sessions', '/api/health', '/', '/metrics'))
        .map(([method, path]) => ({ method, path, headers: {} })),
    },
    {
      weight: 2,
      arbitrary: strangeId
        .chain((id) => fc.constantFrom(...listSessionRoutes(`/api/sessions/${id}`)))
        .map((route) => ({ ...route, headers: JSON_TYPE, body: '{}' })),
    },
    { weight: 2, arbitrary: wrongQuery(session).map(get) },
    {
      weight: 1,
      arbitrary: fc.string().map((text) => ({
        ...get(`${session}/events`),
        headers: { 'last-event-id': `x${encodeURIComponent(text)}` },
      })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('pins', 'compact', 'commands'), fc.boolean())
        .map(([end, isChunked]) => ({ ...createTooLarge(`${session}/${end}`), isChunked })),
    },
  )
}

interface Route {
  readonly method: string
  readonly path: string
}

/** Those that take a body. */
function listSessionRoutes(session: string): readonly Route[] {
  return [
    { method: 'PATCH', path: session },
    { method: 'POST', path: `${session}/messages` },
    { method: 'POST', path: `${session}/pins` },
    { method: 'POST', path: `${session}/commands` },
    { method: 'POST', path: `${session}/approvals/c1` },
  ]
}

const OTHER_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/api/sessions' },
  { method: 'POST', path: '/api/chat' },
  { method: 'POST', path: '/api/sessions/import' },
]

function createTooLarge(path: string): RawRequest {
  return { method: 'POST', path, headers: JSON_TYPE, body: `{"text":"${'x'.repeat(1_100_000)}"}` }
}

/** All that is wrong with them is who sends them. */
function listGoodRequests(session: string): readonly RawRequest[] {
  return [
    { method: 'POST', path: '/api/sessions', headers: JSON_TYPE, body: '{}' },
    { method: 'POST', path: `${session}/messages`, headers: JSON_TYPE, body: '{"text":"hello"}' },
    { method: 'POST', path: `${session}/reset`, headers: {} },
    { method: 'DELETE', path: `${session}?purge=true`, headers: {} },
    { method: 'GET', path: `${session}/events`, headers: {} },
    { method: 'GET', path: `${session}/export`, headers: {} },
  ]
}

const noObject = fc.jsonValue().filter((value) => typeof value !== 'object' || value === null || Array.isArray(value))
const unknownKey = fc.tuple(fc.string(), fc.jsonValue()).map(([key, value]) => ({ [`x-${key}`]: value }))
const wrongValue = fc
  .tuple(
    fc.constantFrom('text', 'title', 'model', 'preset', 'policy', 'line', 'instructions', 'allow', 'id', 'attachments'),
    fc.oneof(fc.integer(), fc.constant(null), fc.array(fc.integer(), { minLength: 1 })),
  )
  .map(([key, value]) => ({ [key]: value }))

/** JSON, but nothing that any route takes. */
const wrongBody = fc.oneof(noObject, unknownKey, wrongValue).map((value) => JSON.stringify(value))

const brokenText = fc.oneof(
  fc.constantFrom('{', '{"text":', '[1,2', '{"text":"a"}}', "{'text':'a'}", 'undefined', '{"text":"\u0001"}', 'NaN'),
  fc.constant(new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])),
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => new Uint8Array([0xff, ...bytes])),
  fc.integer({ min: 101, max: 20_000 }).map((depth) => `${'{"text":'.repeat(depth)}1${'}'.repeat(depth)}`),
)

const wrongType = fc.constantFrom(
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'application/xml',
  '*/*',
  'application/octet-stream',
)

const foreignHeaders: Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  fc.domain().map((name) => ({ origin: `https://${name}` })),
  fc
    .constantFrom('null', 'http://localhost:1', 'file://', 'http://localhost.evil.example')
    .map((origin) => ({ origin })),
  fc.domain().map((host) => ({ host })),
  fc
    .constantFrom('169.254.169.254', 'localhost.evil.example', '127.0.0.1.evil.example:80', '[::2]:4747')
    .map((host) => ({ host })),
  fc.constantFrom('cross-site', 'same-site').map((site) => ({ 'sec-fetch-site': site })),
)

const strayPath = fc
  .array(
    fc.constantFrom('..', '%2e%2e', '..%2f', '..%5c', '%00', 'etc', 'passwd', '.git', 'package.json', '%c0%ae', 'a'),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .chain((steps) =>
    fc.constantFrom('', '/api', '/assets', '/api/sessions').map((start) => `${start}/${steps.join('/')}`),
  )
  // A session that is not there is the subject of others.
  .map((path) => `${path}/x.js`)

const wrongMethod = fc.constantFrom('PUT', 'TRACE', 'PROPFIND', 'BREW', 'get', 'LINK', 'PURGE')

const strangeId = fc.oneof(
  fc.integer({ min: 201, max: 5_000 }).map((length) => 'i'.repeat(length)),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .filter((text) => text.isWellFormed())
    .map((text) => `no${encodeURIComponent(text)}`),
  fc.constantFrom('%00', '%ff', '%', '%E0%A4%A', "1'%20OR%20'1'='1", '__proto__', 'constructor'),
)

function wrongQuery(session: string): Arbitrary<string> {
  return fc.oneof(
    fc.string({ minLength: 1 }).map((text) => `${session}/messages?after=x${encodeURIComponent(text)}`),
    fc.string({ minLength: 1 }).map((text) => `${session}/messages?before=-${encodeURIComponent(text)}`),
    fc.string({ minLength: 1 }).map((text) => `/api/sessions?after=x${encodeURIComponent(text)}`),
    fc.integer({ min: 1_001, max: 10_000 }).map((length) => `/api/sessions?query=${'q'.repeat(length)}`),
    fc.constant(`${session}/recall`),
    fc.integer({ min: 20_000, max: 40_000 }).map((length) => `${session}/recall?query=${'q'.repeat(length)}`),
    fc.constantFrom(
      `${session}/requests/x`,
      `${session}/requests/-1`,
      `${session}/artifacts/none`,
      `${session}/context/none`,
      '/api/memory/files/..%2f..%2fconfig.json5',
    ),
  )
}
