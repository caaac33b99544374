import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { costOfTotals, exportSession, importTranscript, originOf } from '@longhaul/runtime'
import type { SessionRecord } from '@longhaul/runtime'
import { CliError } from '../program/cli-error.ts'
import { report } from '../program/invocation.ts'
import type { Invocation } from '../program/invocation.ts'
import { findSession } from '../system/find-session.ts'
import { withStore } from '../system/open-system.ts'
import { askFor } from '../terminal/ask.ts'
import { formatCost, formatCount, formatTime, shortId } from '../terminal/format.ts'
import { startProgress } from '../terminal/progress.ts'
import { renderTable } from '../terminal/table.ts'
import { oneLine } from '../terminal/text-width.ts'

export interface ListOptions {
  readonly limit: number
  readonly query?: string
}

/** Newest change first. */
export async function runSessionsList(invocation: Invocation, { limit, query }: ListOptions): Promise<void> {
  const { output } = invocation
  const page = await withStore(invocation, (store) =>
    store.sessions.list({ limit, ...(query === undefined ? {} : { query }) }),
  )
  const items = page.items.map(describeSession)
  report(invocation, { items, next: page.next }, () => {
    if (items.length === 0)
      return [query === undefined ? 'There are no sessions yet. `longhaul chat` starts one.' : 'Nothing found.']
    const hasHosts = items.some(({ origin }) => origin !== null)
    const more = page.next === null ? [] : [output.paint.dim(`There are more: --limit ${limit * 2}`)]
    return [
      ...renderTable(
        [
          { title: 'id' },
          { title: 'changed' },
          { title: 'messages', align: 'right' },
          { title: 'cost', align: 'right' },
          ...(hasHosts ? [{ title: 'origin' }] : []),
          { title: 'title', isFlexible: true },
        ],
        items.map((each) => [
          shortId(each.id),
          formatTime(each.updatedAt),
          String(each.messageCount),
          formatCost(each.cost),
          ...(hasHosts ? [oneLine(each.origin ?? '')] : []),
          oneLine(each.title ?? each.lastMessagePreview ?? '–'),
        ]),
        output,
      ),
      ...more,
    ]
  })
}

/** As the API has it, without what only opening a session tells. */
export function describeSession({ id, title, preview, header, head, createdAt, updatedAt }: SessionRecord) {
  return {
    id,
    title,
    origin: originOf(header),
    model: head.model,
    preset: head.settings.preset ?? null,
    messageCount: head.totals.messages,
    lastMessagePreview: preview,
    tokens: { input: head.totals.inputTokens, output: head.totals.outputTokens },
    cost: costOfTotals(head.totals),
    compactionCount: head.compactionCount,
    createdAt,
    updatedAt,
  }
}

/** To stdout, or to a file that must not be there yet. */
export async function runSessionsExport(
  invocation: Invocation,
  wanted: string,
  { output: file }: { readonly output?: string },
): Promise<void> {
  await withStore(invocation, async (store) => {
    const { id } = await findSession(store, wanted)
    const lines = exportSession(store, id, invocation.signal)
    if (file === undefined) {
      for await (const line of lines) invocation.output.write(line)
      return
    }
    try {
      await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal: invocation.signal })
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')
        throw new CliError(`${file} is there already; nothing was written.`, { cause })
      throw cause
    }
    invocation.output.note(`Session ${shortId(id)} is in ${file}`)
  })
}

/** `-` is stdin. A transcript whose id is taken becomes a copy under a new id. */
export async function runSessionsImport(invocation: Invocation, file: string): Promise<void> {
  const text = file === '-' ? process.stdin.setEncoding('utf8') : readTranscriptFile(file)
  await withStore(invocation, async (store) => {
    const progress = await startProgress(invocation, `Importing ${file}`)
    const { sessions } = await importTranscript(store, text, {
      onTakenId: 'rename',
      signal: invocation.signal,
    }).catch((error: unknown) => {
      progress.end('Nothing was imported.')
      throw error
    })
    progress.end(`${formatCount(sessions.length, 'session')} imported`)
    report(invocation, { sessions }, () =>
      sessions.map(({ id, originalId, isCopy, format, entryCount, skipped }) => {
        const copy = isCopy ? `, a copy: session ${originalId} is there already` : ''
        const lost = skipped.length === 0 ? '' : `, ${formatCount(skipped.length, 'line')} could not be read`
        return `${id}  ${formatCount(entryCount, 'entry', 'entries')} (${format})${copy}${lost}`
      }),
    )
  })
}

/** As it is read: the importer never holds a whole file. */
async function* readTranscriptFile(file: string): AsyncGenerator<string> {
  const stream: AsyncIterable<string> = createReadStream(file, 'utf8')
  try {
    yield* stream
  } catch (cause) {
    throw new CliError(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

export interface DeleteOptions {
  readonly purge?: true
  readonly yes?: true
}

/** Hides it; with `--purge`, nothing of it is left. */
export async function runSessionsDelete(invocation: Invocation, wanted: string, options: DeleteOptions): Promise<void> {
  const { purge, yes } = options
  await withStore(invocation, async (store) => {
    const { id, title } = await findSession(store, wanted)
    const question = `Erase ${oneLine(title ?? id)} for good?`
    if (purge === true && yes !== true && !(await askFor(question, '--yes'))) return
    if (purge === true) await store.sessions.purge(id)
    else await store.sessions.setDeleted(id, Date.now())
    report(invocation, { id, purged: purge === true }, () => [
      purge === true ? `Session ${id} is erased.` : `Session ${id} is hidden; \`--purge\` would erase it for good.`,
    ])
  })
}
