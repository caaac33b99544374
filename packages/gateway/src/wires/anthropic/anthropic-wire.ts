import { outputText } from '@longhaul/engine/advanced'
import type { JsonObject, Part, ToolSchema, Usage } from '@longhaul/engine'
import { decodeJson, encodeJson } from '../../json/bytes.ts'
import { findElements, findMembers, skipSpace } from '../../json/scan-json.ts'
import { replaceSpans } from '../../json/splice-changes.ts'
import { fieldsOf, readCount, readTexts, stringOf } from '../read-content.ts'
import type { PlainMessage, ReadElement, Segment, ToolNames, Wire } from '../wire.ts'
import { editBlocks } from './edit-blocks.ts'
import { isNote, readBlocks } from './read-blocks.ts'
import type { ReadBlock } from './read-blocks.ts'

/** Anthropic Messages. Results stand in elements of the user, beside what the user says. */
export const anthropicWire: Wire = {
  name: 'anthropic',
  listKey: 'messages',
  readElement,
  editSegment(raw, { role, span }, after) {
    if (span !== null) return editBlocks(`[${raw}]`, roleOnWire(role), after)?.slice(1, -1) ?? null
    const content = findMembers(raw, 0).get('content')
    if (content === undefined || raw[content.start] !== '[') return after.some((part) => part !== null) ? raw : null
    const by = editBlocks(raw.slice(content.start, content.end), roleOnWire(role), after)
    return by === null ? null : replaceSpans(raw, [{ ...content, by }])
  },
  writeMessage: (message) => [writeElement(message)],
  readSurroundings: (member) => ({ system: readSystem(member('system')), tools: readTools(member('tools')) }),
  writeSummaryCall({ system, prompt, maxOutputTokens }, member) {
    const own = encodeJson({ type: 'text', text: system })
    const members = [
      `"model":${member('model') ?? '""'}`,
      `"max_tokens":${maxOutputTokens}`,
      `"system":[${[...identityBlocks(member('system')), own].join(',')}]`,
      `"messages":[${encodeJson({ role: 'user', content: [{ type: 'text', text: prompt }] })}]`,
    ]
    const metadata = member('metadata')
    return `{${[...members, ...(metadata === undefined ? [] : [`"metadata":${metadata}`])].join(',')}}`
  },
  readAnswerText(answer) {
    const { content } = fieldsOf(answer)
    const blocks: readonly unknown[] = Array.isArray(content) ? content : []
    return blocks.map((block) => stringOf(fieldsOf(block)['text'])).join('')
  },
  readUsage: (usage, earlier) => readUsage(usage, earlier),
}

function roleOnWire(role: Segment['role']): string {
  return role === 'assistant' ? 'assistant' : 'user'
}

function readElement(raw: string, names: ToolNames, isFirst: boolean): ReadElement {
  const { role, content } = fieldsOf(decodeJson(raw))
  if (role === 'system') return whole('system', [{ type: 'text', text: readTexts(content) ?? '' }])
  if (role !== 'user' && role !== 'assistant') return whole(null, [])
  if (typeof content === 'string') return whole(content === '' ? null : role, [{ type: 'text', text: content }])
  if (!Array.isArray(content) || content.length === 0) return whole(null, [])
  const read = readBlocks(content, role, names)
  const blocks = isFirst && role === 'user' ? markStanding(read) : read
  const runs = splitRuns(blocks.map(({ kind }) => kind))
  const [first] = runs
  if (runs.length === 1 && first !== undefined)
    return { segments: [{ ...segmentOf(first.kind, role), parts: partsOf(blocks), span: null }], content: null }
  const list = findMembers(raw, 0).get('content')
  if (list === undefined) return whole(null, [])
  const spans = findElements(raw, list.start)
  const segments = runs.map(({ kind, start, end }): Segment => ({
    ...segmentOf(kind, role),
    parts: partsOf(blocks.slice(start, end)),
    span: { start: spans[start]?.start ?? 0, end: spans[end - 1]?.end ?? 0 },
  }))
  return { segments, content: list }
}

type SegmentKind = ReadBlock['kind'] | 'standing'

function segmentOf(kind: SegmentKind, role: 'user' | 'assistant'): Pick<Segment, 'role' | 'joins' | 'isStanding'> {
  if (kind === 'standing') return { role: 'system', joins: false, isStanding: true }
  return { role: kind === 'result' ? 'tool' : role, joins: false }
}

interface MarkedBlock extends Omit<ReadBlock, 'kind'> {
  readonly kind: SegmentKind
}

/** Before the first words of a person, Claude Code puts instructions and lists of tools into blocks of their own. */
function markStanding(blocks: readonly ReadBlock[]): readonly MarkedBlock[] {
  const spoken = blocks.findIndex(({ part }) => part?.type !== 'text' || !isNote(part.text))
  return blocks.map((block, index) => (index < spoken ? { ...block, kind: 'standing' } : block))
}

function partsOf(blocks: readonly { readonly part: Part | null }[]): readonly Part[] {
  return blocks.flatMap(({ part }) => (part === null ? [] : [part]))
}

function whole(role: Segment['role'], parts: readonly Part[]): ReadElement {
  return { segments: [{ role, parts, span: null, joins: false }], content: null }
}

interface Run<K> {
  readonly kind: K
  readonly start: number
  readonly end: number
}

function splitRuns<K>(kinds: readonly K[]): readonly Run<K>[] {
  const starts = kinds.flatMap((kind, index) => (index === 0 || kind !== kinds[index - 1] ? [index] : []))
  return starts.map((start, index) => ({ kind: kinds[start] as K, start, end: starts[index + 1] ?? kinds.length }))
}

function writeElement({ role, parts }: PlainMessage): string {
  const written = parts.flatMap((part): string[] => {
    switch (part.type) {
      case 'text':
        return part.text === '' ? [] : [encodeJson({ type: 'text', text: part.text })]
      case 'tool-call':
        return [encodeJson({ type: 'tool_use', id: part.toolCallId, name: part.toolName, input: part.input })]
      case 'tool-result': {
        const content = outputText(part.output)
        const isError = part.isError === true ? { is_error: true } : {}
        return [encodeJson({ type: 'tool_result', tool_use_id: part.toolCallId, content, ...isError })]
      }
      case 'image':
        return [encodeJson({ type: 'image', source: writeSource(part.image, part.mediaType ?? 'image/png') })]
      case 'file':
        return [encodeJson({ type: 'document', source: writeSource(part.data, part.mediaType) })]
      case 'reasoning':
        // Unsigned thinking is refused.
        return []
      default:
        return part satisfies never
    }
  })
  const blocks = written.length === 0 ? [encodeJson({ type: 'text', text: '…' })] : written
  return `{"role":"${roleOnWire(role === 'system' ? 'user' : role)}","content":[${blocks.join(',')}]}`
}

function writeSource(data: string, mediaType: string): JsonObject {
  return /^https?:/.test(data) ? { type: 'url', url: data } : { type: 'base64', media_type: mediaType, data }
}

function readSystem(raw: string | undefined): string | null {
  return raw === undefined ? null : readTexts(decodeJson(raw))
}

function readTools(raw: string | undefined): readonly ToolSchema[] {
  const tools = raw === undefined ? [] : decodeJson(raw)
  if (!Array.isArray(tools)) return []
  return tools.map((tool: unknown) => {
    const { name, description, input_schema: schema, ...rest } = fieldsOf(tool)
    const inputSchema = fieldsOf(schema ?? rest) as JsonObject
    return { name: stringOf(name), description: stringOf(description), inputSchema }
  })
}

const MAX_IDENTITY_CHARS = 500

/** Some credentials are taken only with the client's own first words before any other system text. */
function identityBlocks(raw: string | undefined): readonly string[] {
  if (raw === undefined || raw[skipSpace(raw, 0)] !== '[') return []
  const blocks = findElements(raw, 0).map(({ start, end }) => raw.slice(start, end))
  const tooLong = blocks.findIndex((block) => block.length > MAX_IDENTITY_CHARS)
  return blocks.slice(0, Math.min(2, tooLong < 0 ? blocks.length : tooLong))
}

/** A stream says what went in at its start, and what came out at its end. */
function readUsage(usage: Readonly<Record<string, unknown>>, earlier: Usage | null): Usage | null {
  const [fresh, read, write] = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'].map((key) =>
    readCount(usage[key]),
  )
  const input = (fresh ?? 0) + (read ?? 0) + (write ?? 0)
  const output = readCount(usage['output_tokens'])
  if (input === 0) return earlier === null ? null : { ...earlier, output }
  return { input, output, cacheRead: read ?? 0, cacheWrite: write ?? 0 }
}
