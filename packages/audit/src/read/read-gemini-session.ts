import { isRecord, textOf } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine/advanced'
import { createEntryList, optional, readModelId, readString, readTime } from '@longhaul/store/jsonl'
import type { Fields, LineGroup } from '@longhaul/store/jsonl'
import type { RecordedCompaction } from '../find/agent-session.ts'
import { createChatLog } from './gemini/create-chat-log.ts'
import type { ChatCompression, ChatMessage } from './gemini/create-chat-log.ts'
import { readGeminiMessage, readGeminiText, readGeminiUsage } from './gemini/read-gemini-message.ts'
import type { SessionRead } from './session-read.ts'

/** A chat of Gemini CLI: one document in earlier versions, a log of changes in later ones. */
export function readGeminiSession(group: LineGroup, parentId: string | null = null): SessionRead {
  const log = createChatLog()
  for (const line of group.lines) log.read(line)
  const { said, meta, takenBack } = log.finish()
  const list = createEntryList()
  const places = new Map<ChatMessage, readonly Entry[]>()
  const recorded = new Map<string, RecordedCompaction>()
  let model: string | undefined
  for (const each of said) {
    if (each.type === 'compression') {
      list.addCompaction(
        { id: readString(each.value['id']), at: readTime(each.value['timestamp']) },
        read(each, said, places),
      )
      recorded.set(list.entries.at(-1)?.id ?? '', { trigger: null, tokensBefore: null, tokensAfter: null })
      continue
    }
    const { value } = each
    const origin = { id: readString(value['id']), at: readTime(value['timestamp']) }
    const own = readModelId('google', value['model'])
    model = own ?? model
    const usage = readGeminiUsage(value['tokens'])
    for (const [index, fields] of readGeminiMessage(value).entries()) {
      const bill = fields.role === 'assistant' ? { ...optional('model', own), ...optional('usage', usage) } : {}
      const id = origin.id === undefined || index === 0 ? origin.id : `${origin.id}-${index + 1}`
      places.set(each, [...(places.get(each) ?? []), list.addMessage({ ...origin, id }, { ...fields, ...bill })])
    }
  }
  return {
    imported: {
      session: {
        id: readString(meta['sessionId']) ?? 'session-1',
        createdAt: readTime(meta['startTime']),
        ...optional('title', readString(meta['summary'])),
        ...optional('model', model),
      },
      entries: list.finish(),
      artifacts: [],
      skipped: [...group.skipped, ...takenBack.map((line) => ({ line, reason: 'on a branch that was left' }))].toSorted(
        (a, b) => a.line - b.line,
      ),
    },
    parentId: meta['kind'] === 'subagent' ? parentId : null,
    windowTokens: null,
    recorded,
  }
}

type ListedCompaction = Parameters<ReturnType<typeof createEntryList>['addCompaction']>[1]

function read(
  { value, kept }: ChatCompression,
  said: readonly (ChatMessage | ChatCompression)[],
  places: ReadonlyMap<ChatMessage, readonly Entry[]>,
): ListedCompaction {
  const messages = said.filter((each) => each.type === 'message').filter((each) => places.has(each))
  const begin = messages.findIndex((message) => kept.has(message))
  const isTail = begin !== -1 && messages.slice(begin).every((message) => kept.has(message))
  const entries = messages.filter((message) => kept.has(message)).flatMap((message) => places.get(message) ?? [])
  return {
    summary: readGeminiText(value['content']),
    firstKept: isTail ? (entries[0] ?? null) : null,
    carried: isTail ? [] : entries,
    reason: 'threshold',
    strategy: 'gemini-cli',
    tokensBefore: 0,
    tokensAfter: undefined,
  }
}

/** Whether a line is one that only Gemini CLI writes. */
export function isGeminiLine(value: Fields): boolean {
  return (
    (typeof value['sessionId'] === 'string' && typeof value['projectHash'] === 'string') ||
    textOf(value['$rewindTo']) !== '' ||
    isRecord(value['$set'])
  )
}
