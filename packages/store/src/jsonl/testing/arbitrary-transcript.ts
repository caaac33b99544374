import type { Entry, Failure, JsonObject, MessageEntry, Part } from '@longhaul/engine/advanced'
import fc from 'fast-check'
import type { Transcript } from '../imported-session.ts'

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
      failure: fc.record({ code: fc.constantFrom<Failure['code']>('provider-auth', 'internal'), message: text }),
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
  branch: fc.record({ to: fc.option(ref) }),
  settings: fc.record({ title: text, preset: text, policy: object }, { requiredKeys: [] }),
  environment: fc.record({ hash: text, parts: object }),
  flush: fc.record({ outcome: fc.constantFrom('wrote', 'silent', 'failed', 'skipped') }),
  'model-change': fc.record({ model: text }),
  'maintenance-failed': fc.record({ work: fc.constantFrom('compaction', 'flush'), reason: text }),
  bill: fc.record({ work: fc.constantFrom('title', 'heartbeat', 'discarded'), model: text, usage }),
  interrupted: fc.record({ toolCallIds: fc.array(text) }),
}
/** Fields and types that a newer version may add. */
const fieldsToCome = fc.dictionary(
  name.map((key) => `new-${key}`),
  json,
)
const known = Object.entries(bodies).map(([type, body]) => fc.tuple(fc.constant(type), body))
const drafts = fc.oneof(...known, fc.tuple(fc.constant('to-come'), object))

/** Whole transcripts: every type of entry, types and fields of a newer version, artifacts. `idText` is what ids are made of. */
export function arbitraryTranscript(idText: fc.Arbitrary<string> = text): fc.Arbitrary<Transcript> {
  const session = fc
    .tuple(
      fc.record(
        { id: name, createdAt: fc.integer(), title: text, model: text, systemPrompt: text },
        { requiredKeys: ['id', 'createdAt'] },
      ),
      fieldsToCome,
    )
    .map(([fields, more]) => ({ ...more, ...fields }))
  const entries = fc.array(fc.record({ draft: drafts, more: fieldsToCome, id: idText, at: fc.integer() })).map((list) =>
    list.map(({ draft: [type, body], more, id, at }, index) => {
      const identity = { seq: index + 1, id: `${index}${id}`, at }
      const entry = { type, ...body, ...more, ...identity }
      return (type === 'to-come' ? { type: 'unknown', ...identity, original: entry } : entry) as Entry
    }),
  )
  const artifacts = fc
    .array(fc.record({ id: idText, content: text }))
    .map((list) => list.map((artifact, index) => ({ ...artifact, id: `${index}${artifact.id}` })))
  return fc.record({ session, entries, artifacts })
}
