import { renderRecalled } from '@longhaul/engine/advanced'
import type { Entry, MessageEntry } from '@longhaul/engine/advanced'
import type { Store } from '@longhaul/store/port'
import type { Tool } from '@longhaul/tools/port'
import { objectSchema, readCount, readList, readText } from './arguments.ts'

const ALLOW = { verdict: 'allow' } as const
const MAX_MESSAGES = 20
const PAGE_CHARS = 10_000

type Shelf = Pick<Store, 'entries' | 'search' | 'artifacts'>

export interface RecallToolsOptions {
  /** Whether whole outputs of tools are stored. Where they are not, no tool is offered that would read them. */
  readonly hasArtifacts?: boolean
}

/** Nothing is gone: old turns word for word, and tool outputs that were too long to keep in the conversation. */
export function createRecallTools(
  store: Shelf,
  sessionId: string,
  { hasArtifacts = true }: RecallToolsOptions = {},
): readonly Tool[] {
  const recall = createRecallTool(store, sessionId)
  return hasArtifacts ? [recall, createArtifactTool(store, sessionId)] : [recall]
}

function createRecallTool(store: Shelf, sessionId: string): Tool {
  return {
    name: 'recall',
    description:
      'Finds earlier messages of this conversation word for word, also those that were summarised or left out. Give a query, or ids: of messages that the summary cites, or the seq that a placeholder names.',
    inputSchema: objectSchema({
      query: { type: 'string' },
      ids: { type: 'array', items: { type: 'string' } },
      limit: { type: 'integer' },
    }),
    permit: () => ALLOW,
    async run(input) {
      const query = readText(input, 'query')
      const messages = await recallMessages(store, sessionId, {
        query,
        ids: readList(input, 'ids'),
        limit: readCount(input, 'limit', 5),
      })
      if (messages.length === 0) return { output: 'Nothing of that kind was said in this conversation.' }
      return { output: messages.map((message) => renderRecalled(message, query)).join('\n\n') }
    },
  }
}

export interface RecallQuery {
  readonly query: string
  readonly ids: readonly string[]
  readonly limit: number
}

/** By its number, as placeholders of cleared results name it. */
const SEQ = /^(?:seq\s{1,3})?(\d{1,15})$/i

/** The named ones first, then the best matches; each once. */
export async function recallMessages(
  store: Pick<Store, 'entries' | 'search'>,
  sessionId: string,
  { query, ids, limit }: RecallQuery,
): Promise<readonly MessageEntry[]> {
  const wanted = ids.slice(0, MAX_MESSAGES)
  const seqs = [query, ...wanted].flatMap((text) => SEQ.exec(text)?.[1] ?? [])
  const numbered = seqs.length === 0 ? [] : await store.entries.readAt(sessionId, seqs.map(Number))
  const named = await Promise.all(wanted.map((id) => store.entries.find(sessionId, id)))
  const hits = query === '' ? [] : await store.search.search({ query, sessionId, limit: Math.min(limit, MAX_MESSAGES) })
  const found = await Promise.all(hits.map(({ entryId }) => store.entries.find(sessionId, entryId)))
  const messages = [...named, ...numbered, ...found].filter(isMessage)
  return [...new Map(messages.map((message) => [message.id, message])).values()]
}

function isMessage(entry: Entry | null): entry is MessageEntry {
  return entry?.type === 'message'
}

function createArtifactTool(store: Shelf, sessionId: string): Tool {
  return {
    name: 'read_artifact',
    description: 'Reads on in a tool output that was too long: from a character offset, a page at a time.',
    inputSchema: objectSchema({ id: { type: 'string' }, offset: { type: 'integer' }, length: { type: 'integer' } }, [
      'id',
    ]),
    permit: () => ALLOW,
    async run(input) {
      const content = await store.artifacts.read(sessionId, readText(input, 'id'))
      if (content === null) return { output: 'There is no such output, or it is no longer kept.', isError: true }
      const offset = readCount(input, 'offset', 0)
      const page = content.slice(offset, offset + Math.min(readCount(input, 'length', PAGE_CHARS), PAGE_CHARS))
      const end = offset + page.length
      const more = end < content.length ? `\n[… read on with offset=${end}; ${content.length} characters in all]` : ''
      return { output: `${page.toWellFormed()}${more}` }
    },
  }
}
