import { isRecord, textOf } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine/advanced'
import { createEntryList } from './entry-list.ts'
import type { EntryList, Origin } from './entry-list.ts'
import type { ImportedSession, SkippedLine } from './imported-session.ts'
import { inOrder } from './parse-lines.ts'
import type { Fields, Line, LineGroup } from './parse-lines.ts'
import { followBranch } from './pi/follow-branch.ts'
import { branchText, readPiContent, readPiMessage, readPiUsage, userText } from './pi/read-pi-message.ts'
import { optional, readCount, readModelId, readString, readTime } from './read-values.ts'
import { isPiHeader } from './recognise-format.ts'

/** OpenClaw and pi, versions 1 (a list) to 4 (a tree in lanes). */
export function readPi(group: LineGroup): ImportedSession {
  const header = group.lines.find(({ value }) => isPiHeader(value))?.value ?? {}
  const { path, left } = followBranch(group.lines)
  const skipped: SkippedLine[] = [...group.skipped]
  for (const { line, value } of left) {
    if (value['type'] === 'message') skipped.push({ line, reason: 'on a branch that was left' })
  }
  const list = createEntryList()
  const starts = new Map<Line, number>()
  for (const node of path) {
    starts.set(node, list.entries.length)
    const problem = addNode(list, node, (value) => firstKept(value, { list, starts, path, lines: group.lines }))
    if (problem !== null) skipped.push({ line: node.line, reason: problem })
  }
  const entries = list.finish()
  return {
    format: 'pi',
    session: {
      id: readString(header['id']) ?? 'session-1',
      createdAt: readTime(header['createdAt'] ?? header['timestamp'] ?? entries[0]?.at),
      ...optional('title', lastTitle(group.lines)),
      ...optional('model', lastModel(entries) ?? readModelId(header['provider'], header['modelId'])),
      ...optional('systemPrompt', lastSystemPrompt(path)),
    },
    entries,
    artifacts: [],
    skipped: inOrder(skipped),
  }
}

/** Adds what a node says to the conversation; answers why a message in it was left out. Bookkeeping adds nothing. */
function addNode(list: EntryList, { value }: Line, kept: (value: Fields) => Entry | null): string | null {
  const message = isRecord(value['message']) ? value['message'] : {}
  const origin: Origin = { id: readString(value['id']), at: readTime(value['timestamp'] ?? message['timestamp']) }
  switch (value['type']) {
    case 'message': {
      if (message['role'] === 'system') return null
      if (message['role'] === undefined) return 'a message without a role'
      const fields = readPiMessage(message)
      if (fields === null) return 'a command kept out of the context'
      list.addMessage(origin, fields)
      return null
    }
    case 'custom_message':
      list.addMessage(origin, { role: 'user', parts: readPiContent(value['content']) })
      return null
    case 'branch_summary':
      if (readString(value['summary']) !== undefined) list.addMessage(origin, userText(branchText(value['summary'])))
      return null
    case 'compaction':
      addCompaction(list, origin, value, kept(value))
      return null
    case 'reset':
      list.addReset(origin)
      return null
    case 'model_change': {
      const model = readModelId(value['provider'], value['modelId'])
      if (model !== undefined) list.addModelChange(origin, model)
      return null
    }
    case 'context_edit':
      return 'an edit of the context, which keeps the original here'
    default:
      return null
  }
}

function addCompaction(list: EntryList, origin: Origin, value: Fields, kept: Entry | null): void {
  list.addCompaction(origin, {
    summary: textOf(value['summary']),
    firstKept: kept,
    carried: [],
    reason: 'threshold',
    strategy: 'pi',
    tokensBefore: readCount(value['tokensBefore']) ?? 0,
    tokensAfter: readCount(value['tokensAfter']),
    ...optional('usage', readPiUsage(value['usage'])),
  })
}

interface Place {
  readonly list: EntryList
  readonly starts: ReadonlyMap<Line, number>
  readonly path: readonly Line[]
  readonly lines: readonly Line[]
}

/** Version 1 counts the lines of the file, header included; 2 and 3 name the entry; 4 repeats the kept messages. */
function firstKept(value: Fields, { list, starts, path, lines }: Place): Entry | null {
  const { firstKeptEntryIndex: index, firstKeptEntryId: id, retainedTail } = value
  const seen = path.filter((node) => starts.has(node) && node.value !== value)
  let node: Line | undefined
  if (typeof id === 'string') node = seen.find((candidate) => candidate.value['id'] === id)
  else if (typeof index === 'number') node = lines[index]
  else if (Array.isArray(retainedTail))
    node = seen.findLast(({ value: entry }) => isSameMessage(entry, retainedTail[0]))
  const start = node === undefined ? undefined : starts.get(node)
  return start === undefined ? null : list.firstMessageFrom(start)
}

function isSameMessage(entry: Fields, kept: unknown): boolean {
  const { message } = entry
  if (!isRecord(message) || !isRecord(kept)) return false
  return message['role'] === kept['role'] && message['timestamp'] === kept['timestamp']
}

function lastTitle(lines: readonly Line[]): string | undefined {
  const naming = lines.findLast(({ value }) => value['type'] === 'session_info' || value['fact'] === 'name')
  return readString(naming?.value['name'])
}

function lastModel(entries: readonly Entry[]): string | undefined {
  const last = entries.findLast((entry) => 'model' in entry && typeof entry.model === 'string')
  return last?.type === 'message' || last?.type === 'model-change' ? last.model : undefined
}

function lastSystemPrompt(path: readonly Line[]): string | undefined {
  const message = path.findLast(({ value }) => isRecord(value['message']) && value['message']['role'] === 'system')
  const content = isRecord(message?.value['message']) ? message.value['message']['content'] : undefined
  const texts = readPiContent(content).map((part) => (part.type === 'text' ? part.text : ''))
  return readString(texts.join('\n\n'))
}
