import { keepOwnParts } from '@longhaul/engine'
import type { ContentPart, MirrorCodec, OwnPart, Part, ToolOutput } from '@longhaul/engine'
import { isRecord, readOutput, readParts, textOf } from '@longhaul/engine/advanced'
import { readContent, readReasoning, toAddress } from '@longhaul/store/host'
import type { AgentInputItem } from '@openai/agents'
import type { ItemGroup } from './group-items.ts'

type Fields = Readonly<Record<string, unknown>>

/** An item, or one content of an item that is a message. */
interface Piece {
  /** null: a message that the host does not have. */
  readonly item: Fields | null
  readonly content: Fields | null
}

/** Reads groups of items, and writes those that the Chat Completions and the Responses model take. */
export const itemCodec: MirrorCodec<ItemGroup> = {
  read({ role, items }) {
    if (role === null) return null
    const parts = items.flatMap((item) => ownParts(item as Fields)).flatMap(({ read }) => read ?? [])
    return parts.length === 0 ? null : { role, parts }
  },
  write({ role, parts }, original) {
    const own = (original?.items ?? []).flatMap((item) => ownParts(item as Fields))
    const pieces = keepOwnParts(own, parts, writePiece)
    const items = joinPieces(pieces, role)
    const thoughts = (list: readonly unknown[]) => list.filter((item) => isRecord(item) && item['type'] === 'reasoning')
    const lostThought = thoughts(items).length < thoughts(original?.items ?? []).length
    return { role, items: (lostThought ? items.map(withoutId) : items) as unknown as readonly AgentInputItem[] }
  },
}

/** A provider that knows an item by its id asks for the thought that it gave with it. */
function withoutId(item: Fields): Fields {
  const { id: _, ...fields } = item
  return fields
}

function ownParts(item: Fields): readonly OwnPart<Piece>[] {
  if (item['role'] === undefined) return [{ host: { item, content: null }, read: readItem(item) }]
  const contents = Array.isArray(item['content']) ? item['content'].filter(isRecord) : [toText(item['content'])]
  return contents.map((content) => ({ host: { item, content }, read: readContent(content) }))
}

function toText(text: unknown): Fields {
  return { type: 'input_text', text: textOf(text) }
}

function readItem(item: Fields): Part | null {
  const { type, callId, name } = item
  const names = { toolCallId: textOf(callId), toolName: textOf(name ?? type) }
  if (type === 'reasoning') return { type, text: readReasoning(item) }
  if (callId === undefined || callId === null) return { type: 'text', text: textOf(item) }
  if (/_(result|output)$/.test(textOf(type))) {
    const isError = item['status'] === 'failed' ? { isError: true } : {}
    return { type: 'tool-result', ...names, output: readResult(item['output']), ...isError }
  }
  const { arguments: text, providerData: _, ...fields } = item
  return readParts([{ type: 'tool-call', ...names, input: text ?? fields }], 'assistant')[0] ?? null
}

function readResult(output: unknown): ToolOutput {
  if (typeof output === 'string') return output
  const contents = (Array.isArray(output) ? output : [output]).map((content: unknown) =>
    isRecord(content) ? readSaid(content) : content,
  )
  const [only] = contents
  if (contents.length === 1 && isRecord(only) && only['type'] === 'text') return textOf(only['text'])
  return readOutput(contents)
}

/** Shells say in two fields what others say in one. */
function readSaid(content: Fields): ContentPart {
  const { stdout, stderr } = content
  if (stdout === undefined && stderr === undefined) return readContent(content)
  return { type: 'text', text: `${textOf(stdout)}${textOf(stderr)}` }
}

function writePiece(part: Part, original: Piece | null): Piece {
  const item = original?.item ?? null
  switch (part.type) {
    case 'tool-call': {
      if (item !== null && item['type'] !== 'function_call') return { item, content: null }
      const call = { type: 'function_call', callId: part.toolCallId, name: part.toolName, status: 'completed' }
      return { item: { ...call, ...item, arguments: JSON.stringify(part.input) }, content: null }
    }
    case 'tool-result': {
      const result = { type: 'function_call_result', callId: part.toolCallId, name: part.toolName, status: 'completed' }
      return { item: { ...result, ...item, output: writeOutput(part.output, item) }, content: null }
    }
    case 'reasoning':
      return { item: item ?? { type: 'reasoning', content: [toText(part.text)] }, content: null }
    case 'text':
    case 'image':
    case 'file':
      return { item, content: writeContent(part) }
    default:
      return part satisfies never
  }
}

/** Shells and computers answer in a form of their own, which is kept. */
function writeOutput(output: ToolOutput, item: Fields | null): unknown {
  if (item?.['type'] === 'computer_call_result') return item['output']
  const text =
    typeof output === 'string' ? output : output.map((part) => (part.type === 'text' ? part.text : '')).join('')
  if (item?.['type'] === 'shell_call_output') {
    const [first] = Array.isArray(item['output']) ? item['output'].filter(isRecord) : []
    return [{ outcome: { type: 'exit', exitCode: null }, ...first, stdout: text, stderr: '' }]
  }
  return typeof output === 'string' ? output : output.map(writeContent)
}

function writeContent(part: ContentPart): Fields {
  switch (part.type) {
    case 'text':
      return toText(part.text)
    case 'image':
      return { type: 'input_image', image: toAddress(part.image, part.mediaType ?? 'image/png') }
    case 'file':
      return { type: 'input_file', file: toAddress(part.data, part.mediaType) }
    default:
      return part satisfies never
  }
}

/** Contents of one message that stand together become that message; one that has all its contents stays the host's own. */
function joinPieces(pieces: readonly Piece[], role: ItemGroup['role']): readonly Fields[] {
  const items: { item: Fields | null; contents: Fields[] | null }[] = []
  for (const { item, content } of pieces) {
    const last = items.at(-1)
    if (content === null) items.push({ item, contents: null })
    else if (last?.contents !== null && last?.contents !== undefined && last.item === item) last.contents.push(content)
    else items.push({ item, contents: [content] })
  }
  return items.map(({ item, contents }) => {
    if (contents === null) return item ?? {}
    if (item !== null && isWhole(item, contents)) return item
    const written = role === 'assistant' ? contents.map(toSaid) : contents
    const message = { type: 'message', role, ...(role === 'assistant' ? { status: 'completed' } : {}) }
    const [only] = written
    const isPlain = role !== 'assistant' && written.length === 1 && only?.['type'] === 'input_text'
    return { ...message, ...item, content: isPlain ? only['text'] : written }
  })
}

function isWhole({ content }: Fields, contents: readonly Fields[]): boolean {
  if (!Array.isArray(content)) return contents.length === 1 && contents[0]?.['text'] === content
  return content.length === contents.length && contents.every((each, at) => each === content[at])
}

function toSaid(content: Fields): Fields {
  return content['type'] === 'input_text' ? { ...content, type: 'output_text' } : content
}
