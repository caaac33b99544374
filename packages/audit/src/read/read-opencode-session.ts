import { textOf } from '@longhaul/engine/advanced'
import type { Entry, Usage } from '@longhaul/engine/advanced'
import {
  createEntryList,
  optional,
  readBilledTokens,
  readCount,
  readModelId,
  readString,
  readTime,
  recordAt,
} from '@longhaul/store/jsonl'
import type { EntryList, Fields, SkippedLine } from '@longhaul/store/jsonl'
import type { RecordedCompaction } from '../find/agent-session.ts'
import { readOpencodeAnswer, readOpencodeText, readOpencodeUser } from './opencode/read-opencode-parts.ts'
import type { SessionRead } from './session-read.ts'

/** A session of opencode, wherever it is kept: in its database, or in files of earlier versions. */
export interface OpencodeSession {
  readonly info: Fields
  /** In the order in which they were begun. */
  readonly messages: readonly { readonly info: Fields; readonly parts: readonly Fields[] }[]
  readonly skipped: readonly SkippedLine[]
}

export function readOpencodeSession({ info, messages, skipped }: OpencodeSession): SessionRead {
  const list = createEntryList()
  const places = new Map<string, Entry>()
  const recorded = new Map<string, RecordedCompaction>()
  const gone = readString(recordAt(info, 'revert')['messageID'])
  let asked: Fields | undefined
  let context: number | undefined
  let model: string | undefined
  for (const { info: message, parts } of messages) {
    const id = readString(message['id']) ?? ''
    if (gone !== undefined && id >= gone) break
    const origin = { id, at: readTime(recordAt(message, 'time')['created']) }
    if (message['role'] === 'user') {
      asked = parts.find(({ type }) => type === 'compaction') ?? asked
      const fields = readOpencodeUser(parts)
      if (fields !== null) places.set(id, list.addMessage(origin, fields))
    } else if (message['summary'] === true) {
      const summary = readOpencodeText(parts)
      if (summary === '') continue
      addCompaction(list, {
        origin,
        summary,
        kept: places.get(textOf(asked?.['tail_start_id'])),
        context,
        usage: readUsage(message),
      })
      recorded.set(list.entries.at(-1)?.id ?? '', {
        trigger: asked?.['auto'] === true ? 'auto' : 'manual',
        tokensBefore: context ?? null,
        tokensAfter: null,
      })
      asked = undefined
    } else {
      const said = readModelId(message['providerID'], message['modelID'])
      model = said ?? model
      const usage = readUsage(message)
      context = usage === undefined ? context : usage.input + usage.output
      const answers = readOpencodeAnswer(parts)
      const billed = answers.findLastIndex(({ role }) => role === 'assistant')
      for (const [index, fields] of answers.entries()) {
        const own = fields.role === 'assistant' ? optional('model', said) : {}
        const bill = index === billed ? optional('usage', usage) : {}
        const entry = list.addMessage(index === 0 ? origin : { ...origin, id: `${id}-${index + 1}` }, {
          ...fields,
          ...own,
          ...bill,
        })
        if (!places.has(id)) places.set(id, entry)
      }
    }
  }
  return {
    imported: {
      session: {
        id: readString(info['id']) ?? 'session-1',
        createdAt: readTime(recordAt(info, 'time')['created']),
        ...optional('title', readString(info['title'])),
        ...optional('model', model),
      },
      entries: list.finish(),
      artifacts: [],
      skipped,
    },
    parentId: readString(info['parentID']) ?? null,
    windowTokens: null,
    recorded,
  }
}

interface OpencodeCompaction {
  readonly origin: { readonly id: string; readonly at: number }
  readonly summary: string
  readonly kept: Entry | undefined
  readonly context: number | undefined
  readonly usage: Usage | undefined
}

function addCompaction(list: EntryList, { origin, summary, kept, context, usage }: OpencodeCompaction): void {
  list.addCompaction(origin, {
    summary,
    firstKept: kept ?? null,
    carried: [],
    reason: 'threshold',
    strategy: 'opencode',
    tokensBefore: context ?? 0,
    tokensAfter: undefined,
    ...optional('usage', usage),
  })
}

/** Thoughts are output that some providers count apart. */
function readUsage(message: Fields): Usage | undefined {
  const tokens = recordAt(message, 'tokens')
  const cache = recordAt(tokens, 'cache')
  const costUsd = readCount(message['cost'])
  return readBilledTokens({
    uncached: tokens['input'],
    output: (readCount(tokens['output']) ?? 0) + (readCount(tokens['reasoning']) ?? 0),
    cacheRead: cache['read'],
    cacheWrite: cache['write'],
    // A model without a price is written down as one that costs nothing.
    costUsd: costUsd === 0 ? undefined : costUsd,
  })
}
