import { keepOwnParts } from '@longhaul/engine'
import type { MirrorCodec, Part, Role } from '@longhaul/engine'
import { isRecord, readParts, textOf } from '@longhaul/engine/advanced'
import type { Item, ItemPart } from './opencode-api.ts'
import { isTool, stateOf } from './split-items.ts'
import type { Unit } from './split-items.ts'

const ADDED = 'msg_longhaul_'

/** Whether opencode does not have this message: a summary or a pin. */
export function isAdded({ info }: Item): boolean {
  return info.id.startsWith(ADDED)
}

/** Reads what opencode would send of a message, and writes what it sends as Longhaul wants it. */
export function createMessageCodec(sessionID: string): MirrorCodec<Unit> {
  return {
    read(unit) {
      if (isSkipped(unit.item)) return null
      const parts = ownParts(unit).flatMap(({ read }) => read ?? [])
      if (parts.length === 0) return null
      return { role: unit.kind === 'results' ? 'tool' : unit.item.info.role, parts }
    },
    write({ role, parts }, original, { at }) {
      const kind = role === 'tool' ? 'results' : 'message'
      if (original === null) return { item: createItem({ sessionID, role, parts, at }), kind }
      const written = keepOwnParts(ownParts(original), parts, writePart)
      return { item: { ...original.item, parts: written }, kind }
    },
  }
}

/** opencode sends nothing of an answer that failed, unless its user stopped it in the middle. */
function isSkipped({ info, parts }: Item): boolean {
  if (info.role === 'user' || info.error === undefined) return false
  const isBegun = parts.some(({ type }) => type !== 'step-start' && type !== 'reasoning')
  return info.error.name !== 'MessageAbortedError' || !isBegun
}

interface Own {
  readonly host: ItemPart
  readonly read: Part | null
}

function ownParts({ item: { info, parts }, kind }: Unit): readonly Own[] {
  if (kind === 'results') return parts.filter(isTool).map((host) => ({ host, read: readResult(host) }))
  return parts.map((host) => ({ host, read: info.role === 'user' ? readUserPart(host) : readAnswerPart(host) }))
}

function readUserPart(part: ItemPart): Part | null {
  const { type, text, ignored, synthetic } = part
  if (type === 'file') return readFile(part)
  if (type === 'subtask') return { type: 'text', text: 'The following tool was executed by the user' }
  if (type !== 'text' || typeof text !== 'string' || text === '' || ignored === true) return null
  // A reminder stands in the newest message only, and is gone at the next call: it is sent along, but nobody said it.
  return synthetic === true && text.trimStart().startsWith('<system-reminder>') ? null : { type: 'text', text }
}

function readAnswerPart(part: ItemPart): Part | null {
  const { type, text, callID, tool } = part
  if (type === 'text' || type === 'reasoning') return typeof text === 'string' ? { type, text } : null
  if (type !== 'tool') return null
  const call = { type: 'tool-call', toolCallId: textOf(callID), toolName: textOf(tool), input: stateOf(part)['input'] }
  return readParts([call], 'assistant')[0] ?? null
}

function readResult(part: ItemPart): Part {
  const { status, output, error, metadata, time, attachments } = stateOf(part)
  const names = { type: 'tool-result', toolCallId: textOf(part['callID']), toolName: textOf(part['tool']) } as const
  if (status === 'completed') {
    const isCleared = isRecord(time) && typeof time['compacted'] === 'number'
    if (isCleared) return { ...names, output: '[Old tool result content cleared]' }
    const files = Array.isArray(attachments) ? attachments.filter(isRecord).flatMap((file) => readFile(file) ?? []) : []
    const text = textOf(output)
    return { ...names, output: files.length === 0 ? text : [{ type: 'text', text }, ...files] }
  }
  const kept = isRecord(metadata) && metadata['interrupted'] === true ? metadata['output'] : undefined
  if (typeof kept === 'string') return { ...names, output: kept }
  return { ...names, output: status === 'error' ? textOf(error) : '[Tool execution was interrupted]', isError: true }
}

/** The text of a text file stands in a part of its own beside it. */
function readFile({ mime, url, filename }: ItemPart) {
  const mediaType = textOf(mime)
  if (mediaType === 'text/plain' || mediaType === 'application/x-directory') return null
  if (mediaType.startsWith('image/')) return { type: 'image', image: textOf(url), mediaType } as const
  const name = typeof filename === 'string' ? { filename } : {}
  return { type: 'file', data: textOf(url), mediaType, ...name } as const
}

function writePart(part: Part, original: ItemPart | null): ItemPart {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { ...original, type: part.type, text: part.text }
    case 'image':
      return { ...original, type: 'file', mime: part.mediaType ?? 'image/png', url: part.image }
    case 'file':
      return { ...original, type: 'file', mime: part.mediaType, url: part.data, filename: part.filename ?? 'file' }
    case 'tool-call': {
      const state = original === null ? { ...NO_STATE, output: '' } : stateOf(original)
      const names = { type: 'tool', callID: part.toolCallId, tool: part.toolName }
      return { ...original, ...names, state: { ...state, input: part.input } }
    }
    case 'tool-result': {
      const state = original === null ? NO_STATE : stateOf(original)
      const names = { type: 'tool', callID: part.toolCallId, tool: part.toolName }
      if (part.isError === true) {
        return { ...original, ...names, state: { ...state, status: 'error', error: textOf(part.output) } }
      }
      const said = typeof part.output === 'string' ? [{ type: 'text', text: part.output } as const] : part.output
      const output = said.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n')
      const attachments = said.filter(({ type }) => type !== 'text').map((each) => writePart(each, null))
      return { ...original, ...names, state: { ...state, status: 'completed', output, attachments } }
    }
    default:
      return part satisfies never
  }
}

const NO_STATE = { status: 'completed', input: {}, title: '', metadata: {}, time: { start: 0, end: 0 } } as const

interface NewItem {
  readonly sessionID: string
  readonly role: 'system' | Role
  readonly parts: readonly Part[]
  readonly at: number
}

function createItem({ sessionID, role, parts, at }: NewItem): Item {
  const id = `${ADDED}${at}`
  const place = { sessionID, messageID: id }
  return {
    info: { id, sessionID, role: role === 'user' ? role : 'assistant', time: { created: at } },
    parts: parts.map((part, index) => ({ id: `prt_longhaul_${at}_${index}`, ...place, ...writePart(part, null) })),
  }
}
