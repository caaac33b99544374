import fc from 'fast-check'
import type { WireName } from '../wires/wire.ts'

/** A piece of JSON as a client wrote it: any spaces, any numbers, any escapes. */
type Raw = string

const space = fc.constantFrom('', '', '', ' ', '\n  ', '\t', '\r\n')
const oddText = fc.constantFrom(
  'plain words',
  'Grüße 🌱 日本語 \u2028',
  'quotes " and \\ slashes / and \\" both',
  '{"type":"tool_result"}',
  '<system-reminder>note</system-reminder>',
  '[1,2],',
  'a'.repeat(400),
)
const text = fc.oneof(oddText, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }))
/** The same text in one of the ways in which it can be escaped. */
const rawText: fc.Arbitrary<Raw> = fc
  .tuple(text, fc.constantFrom('plain', 'escaped', 'slashes'))
  .map(([value, how]) => {
    const json = JSON.stringify(value)
    if (how === 'slashes') return json.replaceAll('/', '\\/')
    if (how === 'plain') return json
    return json.replaceAll(/[^\u0020-\u007e]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
  })
const number: fc.Arbitrary<Raw> = fc.constantFrom(
  '0',
  '-0',
  '1.0',
  '12345678901234567890',
  '0.1000000000000000055511151231257827',
  '1E400',
  '1e-7',
  '9007199254740993',
)
const deep = fc.constantFrom(3, 50, 1_500).map((depth) => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`)
const words = fc.constantFrom('true', 'false', 'null', '{}', '[]', '"\\ud800"', '"\\udfff\\u0000"', '{"a":1,"a":2}')
const scalar = fc.oneof(
  { weight: 6, arbitrary: rawText },
  { weight: 6, arbitrary: number },
  { weight: 6, arbitrary: words },
  { weight: 1, arbitrary: deep },
)
/** What fills windows, now and then far too long. The same text is told again, so that every escape stays whole. */
const longText: fc.Arbitrary<Raw> = fc
  .tuple(
    rawText,
    fc.oneof(
      { weight: 50, arbitrary: fc.constantFrom(0, 0, 2_500, 5_000) },
      { weight: 1, arbitrary: fc.constant(200_000) },
    ),
  )
  .map(([raw, chars]) => `"${raw.slice(1, -1).repeat(Math.max(1, Math.ceil(chars / raw.length)))}"`)

function object(fields: Readonly<Record<string, fc.Arbitrary<Raw>>>): fc.Arbitrary<Raw> {
  const members = Object.entries(fields).map(([key, value]) =>
    fc.tuple(space, space, value).map(([before, after, raw]) => `${before}"${key}"${after}:${after}${raw}`),
  )
  return fc
    .tuple(fc.tuple(...members), space)
    .map(([all, end]) => `{${all.filter((each) => !each.endsWith(LEFT_OUT)).join(',')}${end}}`)
}

const LEFT_OUT = ' LEFT OUT'
const maybe = (value: fc.Arbitrary<Raw>): fc.Arbitrary<Raw> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(LEFT_OUT) }, value)
const is = (value: unknown): fc.Arbitrary<Raw> => fc.constant(JSON.stringify(value))
const list = (each: fc.Arbitrary<Raw>, most = 4, least = 0): fc.Arbitrary<Raw> =>
  fc
    .tuple(fc.array(each, { minLength: least, maxLength: most }), space)
    .map(([all, gap]) => `[${gap}${all.join(`${gap},${gap}`)}${gap}]`)
const mark = maybe(object({ type: is('ephemeral'), ttl: maybe(is('1h')) }))
const extra = { x_unknown: maybe(scalar), cache_control: mark }
const id = fc.constantFrom('"call_1"', '"call_2"', '"call_3"')
const input = object({
  path: rawText,
  content: maybe(longText),
  big: maybe(number),
  nested: maybe(object({ deep: list(scalar) })),
})

const base64 = object({ type: is('base64'), media_type: is('image/png'), data: is('aGVsbG8=') })
const anthropicText = object({ type: is('text'), text: rawText, ...extra })
const anthropicImage = object({ type: is('image'), source: base64, ...extra })
const anthropicResult = object({
  type: is('tool_result'),
  tool_use_id: id,
  content: maybe(fc.oneof(longText, list(fc.oneof(anthropicText, anthropicImage), 3))),
  is_error: maybe(fc.constant('true')),
  ...extra,
})
const unknownBlock = object({ type: is('block_of_tomorrow'), payload: scalar, more: list(scalar) })
const document = object({
  type: is('document'),
  source: object({ type: is('text'), media_type: is('text/plain'), data: rawText }),
  title: rawText,
  ...extra,
})
const userBlock = fc.oneof(anthropicText, anthropicImage, anthropicResult, anthropicResult, document, unknownBlock)
const spokenBlock = fc.oneof(
  anthropicText,
  object({ type: is('thinking'), thinking: rawText, signature: is('c2lnbmVk') }),
  object({ type: is('redacted_thinking'), data: is('cmVkYWN0ZWQ=') }),
  object({ type: is('tool_use'), id, name: is('read_file'), input, ...extra }),
  object({ type: is('server_tool_use'), id: is('srv_1'), name: is('web_search'), input }),
  object({ type: is('web_search_tool_result'), tool_use_id: is('srv_1'), content: list(unknownBlock) }),
  unknownBlock,
)
const anthropicElement = fc.oneof(
  object({ role: is('user'), content: fc.oneof(longText, list(userBlock, 5, 1)) }),
  object({ content: fc.oneof(rawText, list(spokenBlock, 5, 1)), role: is('assistant'), x_more: maybe(scalar) }),
  object({ role: is('system'), content: rawText }),
)

const chatCall = object({
  id,
  type: is('function'),
  function: object({ name: is('read_file'), arguments: input.map((raw) => JSON.stringify(raw)) }),
})
const chatElement = fc.oneof(
  object({ role: fc.constantFrom('"system"', '"developer"'), content: rawText }),
  object({
    role: is('user'),
    content: fc.oneof(
      rawText,
      list(
        fc.oneof(
          object({ type: is('text'), text: rawText }),
          unknownBlock,
          object({ type: is('image_url'), image_url: object({ url: is('data:image/png;base64,aGk=') }) }),
        ),
        3,
        1,
      ),
    ),
    name: maybe(rawText),
  }),
  object({
    role: is('assistant'),
    content: fc.oneof(longText, fc.constant('null')),
    reasoning_content: maybe(rawText),
    tool_calls: maybe(list(chatCall, 3, 1)),
    x_more: maybe(scalar),
  }),
  object({
    role: is('tool'),
    tool_call_id: id,
    content: fc.oneof(longText, list(object({ type: is('text'), text: rawText }), 2, 1)),
  }),
)

const responsesElement = fc.oneof(
  object({
    type: maybe(is('message')),
    role: fc.constantFrom('"user"', '"developer"'),
    content: fc.oneof(longText, list(object({ type: is('input_text'), text: rawText }), 3, 1)),
  }),
  object({
    type: is('message'),
    role: is('assistant'),
    id: is('msg_1'),
    content: list(object({ type: is('output_text'), text: rawText, annotations: list(scalar) }), 2, 1),
  }),
  object({
    type: is('reasoning'),
    id: is('rs_1'),
    summary: list(object({ type: is('summary_text'), text: rawText }), 2),
    encrypted_content: is('ZW5j'),
  }),
  object({
    type: is('function_call'),
    call_id: id,
    name: is('shell'),
    arguments: input.map((raw) => JSON.stringify(raw)),
    id: maybe(is('fc_1')),
  }),
  object({ type: is('custom_tool_call'), call_id: id, name: is('apply_patch'), input: rawText }),
  object({ type: is('local_shell_call'), call_id: id, action: input }),
  object({
    type: is('function_call_output'),
    call_id: id,
    output: fc.oneof(longText, list(object({ type: is('input_text'), text: rawText }), 2, 1)),
  }),
  object({ type: is('web_search_call'), id: is('ws_1'), action: input }),
  object({ type: is('compaction'), encrypted_content: is('Y29tcA==') }),
  object({ type: is('item_of_tomorrow'), payload: scalar }),
)

const ELEMENTS: Readonly<Record<WireName, fc.Arbitrary<Raw>>> = {
  anthropic: anthropicElement,
  'openai-chat': chatElement,
  'openai-responses': responsesElement,
}

export interface BodyShape {
  /** Elements of the list. */
  readonly most?: number
  /** Marks each element with its place, and adds what else every request has. */
  readonly isMarked?: boolean
}

/** Bodies of requests as real clients write them, and worse. */
export function arbitraryBody(wire: WireName, { most = 9, isMarked = false }: BodyShape = {}): fc.Arbitrary<string> {
  const key = wire === 'openai-responses' ? 'input' : 'messages'
  const elements = fc.array(ELEMENTS[wire], { minLength: 1, maxLength: most })
  const written = isMarked ? elements.map((all) => all.map(markElement)) : elements
  const fields = {
    model: is('some-model'),
    temperature: maybe(number),
    metadata: maybe(object({ a: scalar })),
    ...(isMarked ? { tools: is([{ name: 'read_file' }]) } : {}),
    [key]: fc.tuple(written, space).map(([all, gap]) => `[${gap}${all.join(`${gap},${gap}`)}${gap}]`),
    stream: maybe(fc.constant('true')),
    x_more: maybe(scalar),
  }
  return object(fields)
}

function markElement(raw: Raw, place: number): Raw {
  return `{"x_place":${place},${raw.slice(1)}`
}
