import fc from 'fast-check'
import type { Anchor, MessageEntry } from '../transcript/entry.ts'
import { createItem } from '../transcript/item.ts'
import type { Item } from '../transcript/item.ts'
import type { JsonObject } from '../transcript/json.ts'
import type {
  ContentPart,
  Message,
  ReasoningPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
  Usage,
} from '../transcript/message.ts'

/**
 * Random conversations for property tests. They are valid by type and otherwise as bad as real ones get: parallel
 * calls, results that are missing, doubled, out of order, late or without a call, ids used again, empty messages and
 * texts, lone surrogates, and now and then a very long string.
 */
export function arbitraryMessages(maxSteps = 12): fc.Arbitrary<readonly Message[]> {
  return fc.array(arbitraryStep(), { maxLength: maxSteps, size: 'max' }).map((steps) => steps.flat())
}

/** Seqs rise with gaps, because other entries lie between messages; times may stand still; some answers have a bill. */
export function arbitraryEntries(maxSteps = 12): fc.Arbitrary<readonly MessageEntry[]> {
  return arbitraryMessages(maxSteps).chain((messages) =>
    fc
      .array(arbitraryPlace(), { minLength: messages.length, maxLength: messages.length })
      .map((places) => numberMessages(messages, places)),
  )
}

export function arbitraryItems(maxSteps = 12): fc.Arbitrary<readonly Item[]> {
  return arbitraryEntries(maxSteps).map((entries) => entries.map(createItem))
}

/** Texts as users and tools write them, in any script, broken ones included. */
export function arbitraryText(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.lorem({ maxCount: 12 }) },
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme' }) },
    { weight: 2, arbitrary: arbitraryCjk() },
    { weight: 2, arbitrary: arbitraryUtf16() },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n', '\u0000', '\ud83d', '\ude00', '😀', '{"a":', '[Old]') },
    { weight: 1, arbitrary: arbitraryLongText() },
  )
}

/** Code units without regard to pairs: lone surrogates and control characters included. */
export function arbitraryUtf16(): fc.Arbitrary<string> {
  const unit = fc.oneof(fc.integer({ min: 0xd7f0, max: 0xe00f }), fc.integer({ min: 0, max: 0xffff }))
  return fc.array(unit, { maxLength: 40 }).map((units) => String.fromCharCode(...units))
}

/** Anything a log or another program may hand over: values of any kind, and entries with one thing wrong. */
export function arbitraryJunk(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.anything(ANYTHING) },
    { weight: 3, arbitrary: arbitraryRawEntry() },
    { weight: 1, arbitrary: fc.anything(ANYTHING).map(makeCyclic) },
    { weight: 1, arbitrary: fc.integer({ min: 150, max: 2_000 }).map(nestDeeply) },
    { weight: 1, arbitrary: arbitraryText() },
  )
}

/** Parts with known types and random fields: the shapes that a reader is most likely to take for valid. */
export function arbitraryRawPart(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 5, arbitrary: arbitraryRawRecord(PART_TYPES, PART_FIELDS) },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined, '', 'a bare string', 42, true, []) },
    { weight: 1, arbitrary: fc.anything(ANYTHING) },
  )
}

/** Entries whose type is known and whose fields are each right, wrong or missing. */
export function arbitraryRawEntry(): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      arbitraryRawRecord(ENTRY_TYPES, ENTRY_FIELDS),
      fc.record(
        {
          seq: mostly(fc.nat(), fc.constantFrom(-1, 1.5, Number.NaN, '7', null)),
          id: mostly(fc.string({ minLength: 1 }), fc.constantFrom('', 7, null)),
          at: mostly(fc.nat(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, '2026-01-01', null)),
          role: mostly(fc.constantFrom('user', 'assistant', 'tool'), fc.constantFrom('system', 'toolResult', null, 1)),
          parts: mostly(fc.array(arbitraryRawPart(), { maxLength: 5 }), fc.anything()),
        },
        { requiredKeys: ['seq', 'id'] },
      ),
    )
    .map(([fields, base]) => ({ ...(fields as object), ...base }))
}

const ANYTHING: fc.ObjectConstraints = {
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
}

/** With two characters outside the basic plane and two full-width ones. */
const CJK = Array.from('漢字仮名交じり文、한국어𠀀𪜈ａ１。')
const TOOL_CALL_IDS = ['a', 'b', 'c', 'call_0', 'toolu_01']
const TOOL_NAMES = ['read', 'write', 'bash', 'fetch', 'unknown']
const PART_TYPES = ['text', 'reasoning', 'image', 'file', 'tool-call', 'tool-result', 'thinking', 'toolCall']
const ENTRY_TYPES = (
  'message compaction compaction-undone trim reset prune pin unpin settings environment flush model-change ' +
  'maintenance-failed bill interrupted unknown label'
).split(' ')
const PART_FIELDS = (
  'text image data mediaType filename width height toolCallId toolName input output isError artifactId ' +
  'providerOptions'
).split(' ')
const ENTRY_FIELDS = (
  'model usage anchor finish failure firstKept carried previous tokensBefore tokensAfter document reason strategy ' +
  'instructions score compaction decisions text pin title preset policy hash parts outcome work toolCallIds ' +
  'original'
).split(' ')

/** One step of a conversation: something is said, or tools are called and answered, more or less. */
function arbitraryStep(): fc.Arbitrary<readonly Message[]> {
  return fc.oneof(
    { weight: 3, arbitrary: contents(0).map((parts): Message[] => [{ role: 'user', parts }]) },
    { weight: 2, arbitrary: answers().map((parts): Message[] => [{ role: 'assistant', parts }]) },
    { weight: 4, arbitrary: arbitraryToolStep() },
    { weight: 1, arbitrary: arbitraryResult().map((orphan): Message[] => [{ role: 'tool', parts: [orphan] }]) },
  )
}

function arbitraryToolStep(): fc.Arbitrary<readonly Message[]> {
  return fc
    .record({
      before: answers(),
      calls: fc.array(arbitraryCall(), { minLength: 1, maxLength: 4 }),
      outputs: fc.array(arbitraryOutput(), { minLength: 1, maxLength: 4 }),
      /** Which call each result answers: some twice, some never, in any order. */
      order: fc.oneof(fc.constant<number[]>([0, 1, 2, 3]), fc.array(fc.nat({ max: 4 }), { maxLength: 5 })),
      inOneMessage: fc.boolean(),
      interruption: fc.option(contents(1), { freq: 5 }),
      isError: fc.boolean(),
    })
    .map(({ before, calls, outputs, order, inOneMessage, interruption, isError }) => {
      const results = order.flatMap((place, index) => {
        const answered = calls[place]
        const output = outputs[index % outputs.length] ?? ''
        return answered === undefined ? [] : [answer(answered, output, isError && index === 0)]
      })
      const asked: Message = { role: 'assistant', parts: [...before, ...calls] }
      const interrupted: Message[] = interruption === null ? [] : [{ role: 'user', parts: interruption }]
      const answered = inOneMessage ? [results] : results.map((single) => [single])
      return [asked, ...interrupted, ...answered.map((parts): Message => ({ role: 'tool', parts }))]
    })
}

function answer({ toolCallId, toolName }: ToolCallPart, output: ToolOutput, isError: boolean): ToolResultPart {
  return { type: 'tool-result', toolCallId, toolName, output, ...(isError ? { isError } : {}) }
}

function arbitraryCall(): fc.Arbitrary<ToolCallPart> {
  return fc.record({
    type: fc.constant('tool-call'),
    toolCallId: arbitraryToolCallId(),
    toolName: fc.constantFrom(...TOOL_NAMES),
    input: arbitraryInput(),
  })
}

function arbitraryResult(): fc.Arbitrary<ToolResultPart> {
  return fc.record({
    type: fc.constant('tool-result'),
    toolCallId: arbitraryToolCallId(),
    toolName: fc.constantFrom(...TOOL_NAMES),
    output: arbitraryOutput(),
  })
}

/** Few ids, so that they repeat across turns and within one; and some that are used once. */
function arbitraryToolCallId(): fc.Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...TOOL_CALL_IDS), fc.uuid())
}

function arbitraryInput(): fc.Arbitrary<JsonObject> {
  const known = fc.record({ path: arbitraryText(), content: arbitraryText() }, { requiredKeys: [] })
  // A log has no negative zero: it is written as 0.
  const json = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)))
  const random = fc.dictionary(fc.string(), json, { maxKeys: 4, noNullPrototype: true })
  return fc.oneof(known, random) as fc.Arbitrary<JsonObject>
}

function arbitraryOutput(): fc.Arbitrary<ToolOutput> {
  return fc.oneof({ weight: 4, arbitrary: arbitraryText() }, { weight: 1, arbitrary: contents(0) })
}

function contents(minLength: number): fc.Arbitrary<ContentPart[]> {
  return fc.array(arbitraryContent(), { minLength, maxLength: 3 })
}

function answers(): fc.Arbitrary<(ContentPart | ReasoningPart)[]> {
  const thought = arbitraryText().map((text): ReasoningPart => ({ type: 'reasoning', text }))
  const said = arbitraryText().map((text): ContentPart => ({ type: 'text', text }))
  return fc.array(fc.oneof({ weight: 3, arbitrary: said }, { weight: 1, arbitrary: thought }), { maxLength: 3 })
}

function arbitraryContent(): fc.Arbitrary<ContentPart> {
  return fc.oneof(
    { weight: 6, arbitrary: arbitraryText().map((text): ContentPart => ({ type: 'text', text })) },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          type: fc.constant('image'),
          image: fc.base64String(),
          mediaType: fc.constant('image/png'),
          width: fc.nat({ max: 4_000 }),
          height: fc.nat({ max: 4_000 }),
        },
        { requiredKeys: ['type', 'image'] },
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record(
        {
          type: fc.constant('file'),
          data: fc.base64String(),
          mediaType: fc.constantFrom('application/pdf', 'text/plain', 'image/png'),
          filename: fc.string({ minLength: 1, maxLength: 12 }),
        },
        { requiredKeys: ['type', 'data', 'mediaType'] },
      ),
    },
  )
}

function arbitraryCjk(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...CJK), maxLength: 60 })
}

function arbitraryLongText(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('x', 'line of a log\n', '漢', '😀', '{"key": 1}, '), fc.integer({ min: 500, max: 60_000 }))
    .map(([unit, chars]) => unit.repeat(Math.ceil(chars / unit.length)))
}

interface Place {
  readonly gap: number
  readonly elapsedMs: number
  readonly bill: { readonly model: string; readonly usage: Usage; readonly anchor: Anchor | null } | null
  readonly finish: MessageEntry['finish'] | null
}

function arbitraryPlace(): fc.Arbitrary<Place> {
  const usage = fc.record(
    {
      input: fc.nat({ max: 200_000 }),
      output: fc.nat({ max: 20_000 }),
      cacheRead: fc.nat({ max: 200_000 }),
      reasoning: fc.nat({ max: 20_000 }),
    },
    { requiredKeys: ['input', 'output'] },
  ) as fc.Arbitrary<Usage>
  const model = fc.constantFrom('anthropic/one', 'openai/two')
  const anchor = fc.record({
    model,
    itemCount: fc.nat({ max: 40 }),
    chainHash: fc.string({ minLength: 16, maxLength: 16 }),
  })
  return fc.record({
    gap: fc.nat({ max: 3 }),
    elapsedMs: fc.oneof(fc.constant(0), fc.nat({ max: 3_600_000 })),
    bill: fc.option(fc.record({ model, usage, anchor: fc.option(anchor) })),
    finish: fc.option(fc.constantFrom('stop', 'tool-calls', 'length', 'error', 'aborted')),
  })
}

function numberMessages(messages: readonly Message[], places: readonly Place[]): readonly MessageEntry[] {
  let seq = 0
  let at = Date.UTC(2026, 0, 1)
  return messages.map((message, index) => {
    const { gap, elapsedMs, bill, finish } = places[index] ?? { gap: 0, elapsedMs: 0, bill: null, finish: null }
    seq += 1 + gap
    at += elapsedMs
    const base = { type: 'message', seq, id: `m${seq}`, at, ...message } as const
    if (message.role !== 'assistant') return base
    return {
      ...base,
      ...(finish === null || finish === undefined ? {} : { finish }),
      ...(bill === null ? {} : { model: bill.model, usage: bill.usage }),
      ...(bill === null || bill.anchor === null ? {} : { anchor: bill.anchor }),
    }
  })
}

function arbitraryRawRecord(types: readonly string[], fields: readonly string[]): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    fc.anything(),
    fc.string(),
    fc.nat(),
    fc.constantFrom(null, undefined, '', true, Number.NaN, [], {}, '{"path":"a.ts"}', '{"path":"a.t', 12),
    fc.record({ id: fc.string(), seq: fc.nat() }),
    fc.array(fc.string(), { maxLength: 3 }),
  )
  return fc
    .tuple(fc.constantFrom(...types), fc.dictionary(fc.constantFrom(...fields), value))
    .map(([type, record]) => ({ type, ...record }))
}

function mostly<A, B>(right: fc.Arbitrary<A>, wrong: fc.Arbitrary<B>): fc.Arbitrary<A | B> {
  return fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

function makeCyclic(value: unknown): unknown {
  const cyclic: Record<string, unknown> = { type: 'message', seq: 1, id: 'm1', at: 1, role: 'assistant', value }
  cyclic['parts'] = [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: cyclic }, cyclic]
  return cyclic
}

function nestDeeply(depth: number): unknown {
  let nested: unknown = 'bottom'
  for (let level = 0; level < depth; level += 1) nested = level % 2 === 0 ? [nested] : { nested }
  return { type: 'message', seq: 1, id: 'm1', at: 1, role: 'tool', parts: [{ type: 'tool-result', output: nested }] }
}
