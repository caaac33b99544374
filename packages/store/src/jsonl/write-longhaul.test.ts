import type { Entry, JsonObject, MessageEntry, Part } from '@longhaul/engine'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTranscripts } from './read-transcripts.ts'
import { writeTranscript } from './write-longhaul.ts'

/** Any sequence of UTF-16 units: lone surrogates, line separators and control characters included. */
const text = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('a\u2028b', '\u2029', '\ud800', '\udfff x', '\u0085', '\uFEFF', 'line\r\nline', ''),
)
const name = fc.stringMatching(/^[a-z]{1,8}$/)
/** JSON has no negative zero. */
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as JsonObject[string])
const object: fc.Arbitrary<JsonObject> = fc.dictionary(name, json)
const count = fc.nat()
const ref = fc.record({ id: text, seq: count })
const options = { providerOptions: object }

const content = fc.oneof(
  fc.record({ type: fc.constant('text'), text, ...options }, { requiredKeys: ['type', 'text'] }),
  fc.record(
    { type: fc.constant('image'), image: text, mediaType: text, width: count, height: count, ...options },
    { requiredKeys: ['type', 'image'] },
  ),
  fc.record(
    { type: fc.constant('file'), data: text, mediaType: text, filename: text, ...options },
    { requiredKeys: ['type', 'data', 'mediaType'] },
  ),
)
const said: fc.Arbitrary<Part> = fc.oneof(
  content,
  fc.record({ type: fc.constant('reasoning'), text, ...options }, { requiredKeys: ['type', 'text'] }),
  fc.record(
    { type: fc.constant('tool-call'), toolCallId: name, toolName: name, input: object, ...options },
    { requiredKeys: ['type', 'toolCallId', 'toolName', 'input'] },
  ),
)
const returned: fc.Arbitrary<Part> = fc.record(
  {
    type: fc.constant('tool-result'),
    toolCallId: name,
    toolName: name,
    output: fc.oneof(text, fc.array(content)),
    isError: fc.boolean(),
    artifactId: text,
    ...options,
  },
  { requiredKeys: ['type', 'toolCallId', 'toolName', 'output'] },
)
const usage = fc.record(
  { input: count, output: count, cacheRead: count, cacheWrite: count, reasoning: count, costUsd: count },
  { requiredKeys: ['input', 'output'] },
)
const moves = {
  fromSeq: count,
  firstKept: fc.option(fc.record({ id: text, seq: count, at: fc.integer() })),
  carried: fc.array(ref),
  previous: fc.option(ref),
  tokensBefore: count,
  tokensAfter: count,
}
const item = fc.record({ id: text, text, sources: fc.array(text), status: fc.constantFrom('open', 'done') })
const section = fc.record({ title: text, items: fc.array(item) })

type Body<T> = Omit<Extract<Entry, { type: T }>, 'type' | 'seq' | 'id' | 'at'>
const message: fc.Arbitrary<Body<'message'>> = fc.oneof(
  fc.record({ role: fc.constant('user'), parts: fc.array(content) }),
  fc.record({ role: fc.constant('tool'), parts: fc.array(returned) }),
  fc.record(
    {
      role: fc.constant('assistant'),
      parts: fc.array(said),
      model: text,
      usage,
      anchor: fc.record({ model: text, itemCount: count, chainHash: text }),
      finish: fc.constantFrom<NonNullable<MessageEntry['finish']>>('stop', 'tool-calls', 'length', 'error', 'aborted'),
    },
    { requiredKeys: ['role', 'parts'] },
  ),
)

/** One for each type there is: the compiler asks for those that are added. */
const bodies: { readonly [T in Exclude<Entry['type'], 'unknown'>]: fc.Arbitrary<Body<T>> } = {
  message,
  compaction: fc.record(
    {
      ...moves,
      document: fc.record({ version: fc.constant(1), sections: fc.array(section) }),
      reason: fc.constantFrom('threshold', 'manual'),
      strategy: text,
      model: fc.option(text),
      instructions: text,
      score: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
      usage,
    },
    {
      requiredKeys: [
        'fromSeq',
        'firstKept',
        'carried',
        'previous',
        'tokensBefore',
        'tokensAfter',
        'document',
        'reason',
        'strategy',
        'model',
      ],
    },
  ),
  'compaction-undone': fc.record({ compaction: text }),
  trim: fc.record({
    ...moves,
    reason: fc.constant('overflow'),
    summary: fc.option(ref),
    dropped: count,
    note: fc.option(text),
  }),
  reset: fc.constant({}),
  prune: fc.record({
    reason: text,
    decisions: fc.array(
      fc.oneof(
        fc.record({ entry: ref, part: count, form: fc.constant('cleared'), placeholder: text }),
        fc.record({
          entry: ref,
          part: count,
          form: fc.constant('soft-trimmed'),
          headChars: count,
          tailChars: count,
          note: text,
        }),
      ),
    ),
  }),
  pin: fc.record({ text: name }),
  unpin: fc.record({ pin: text }),
  settings: fc.record({ title: text, preset: text, policy: object }, { requiredKeys: [] }),
  environment: fc.record({ hash: text, parts: object }),
  flush: fc.record({ outcome: fc.constantFrom('wrote', 'silent', 'failed') }),
  'model-change': fc.record({ model: text }),
  'maintenance-failed': fc.record({ work: fc.constantFrom('compaction', 'flush'), reason: text }),
  interrupted: fc.record({ toolCallIds: fc.array(text) }),
}
/** Fields and types that a newer version may add. */
const fieldsToCome = fc.dictionary(
  name.map((key) => `new-${key}`),
  json,
)
const known = Object.entries(bodies).map(([type, body]) => fc.tuple(fc.constant(type), body))
const drafts = fc.oneof(...known, fc.tuple(fc.constant('to-come'), object))

const entries = fc.array(fc.record({ draft: drafts, more: fieldsToCome, id: text, at: fc.integer() })).map((list) =>
  list.map(({ draft: [type, body], more, id, at }, index) => {
    const identity = { seq: index + 1, id: `${index}${id}`, at }
    const entry = { type, ...body, ...more, ...identity }
    return (type === 'to-come' ? { type: 'unknown', ...identity, original: entry } : entry) as Entry
  }),
)
const session = fc
  .tuple(
    fc.record(
      { id: name, createdAt: fc.integer(), title: text, model: text, systemPrompt: text },
      { requiredKeys: ['id', 'createdAt'] },
    ),
    fieldsToCome,
  )
  .map(([fields, more]) => ({ ...more, ...fields }))
const artifacts = fc.array(fc.record({ id: text, content: text }))

test('OPEN-01 what is written is read back exactly, whatever the entries hold', () => {
  fc.assert(
    fc.property(session, entries, artifacts, (header, list, files) => {
      const transcript = { session: header, entries: list, artifacts: files }
      const written = writeTranscript(transcript)
      expect(readTranscripts(written)).toEqual([{ format: 'longhaul', ...transcript, skipped: [] }])
      expect(writeTranscript(readTranscripts(written)[0] ?? transcript)).toBe(written)
    }),
    { numRuns: 300 },
  )
})

test('OPEN-01 an entry of a newer version leaves as it came', () => {
  const line = '{"type":"hologram","seq":1,"id":"h","at":5,"beam":{"type":"message","deep":[null,1e-7]}}'
  const exported = `{"type":"session","version":1,"id":"s","createdAt":5,"shape":"round"}\n${line}\n`
  const [read] = readTranscripts(exported)
  expect(read?.entries).toEqual([{ type: 'unknown', seq: 1, id: 'h', at: 5, original: JSON.parse(line) }])
  expect(read && writeTranscript(read)).toBe(exported)
})

test.each([
  { type: 'hologram', seq: 9, id: 'other', at: 0 },
  { type: 'session', seq: 1, id: 'u', at: 0, createdAt: 1 },
  { type: 'artifact', seq: 1, id: 'u', at: 0, content: 'x' },
  { type: 'pin', seq: 1, id: 'u', at: 0, text: 'readable by now' },
  { anything: true },
])('OPEN-01 an unknown entry that could be taken for something else keeps its wrapper: %j', (original) => {
  const entry = { type: 'unknown', seq: 1, id: 'u', at: 0, original } as const
  const transcript = { session: { id: 's', createdAt: 1 }, entries: [entry], artifacts: [] }
  expect(readTranscripts(writeTranscript(transcript))[0]?.entries).toEqual([entry])
})

test('writes one line per entry for readers that break lines at every separator', () => {
  const part = { type: 'text', text: 'a\u2028b\u2029c\u0085d' } as const
  const entry = { type: 'message', seq: 1, id: 'm', at: 0, role: 'user', parts: [part] } as const
  const written = writeTranscript({ session: { id: 's', createdAt: 0 }, entries: [entry], artifacts: [] })
  expect(written.split(/[\n\u2028\u2029\u0085]/)).toHaveLength(3)
})
