import { findSummaryInForce } from '@longhaul/runtime'
import type { MessageEntry, SessionRecord, Store } from '@longhaul/runtime'
import { report } from '../program/invocation.ts'
import type { Invocation } from '../program/invocation.ts'
import { renderBlock } from '../cards/render-block.ts'
import { toBlocks } from '../chat/conversation/to-blocks.ts'
import { findSession } from '../system/find-session.ts'
import { withStore } from '../system/open-system.ts'
import { formatCount, formatTime } from '../terminal/format.ts'
import { oneLine } from '../terminal/text-width.ts'
import { describeSession } from './sessions.ts'

export interface ShowOptions {
  readonly limit: number
}

/** The newest messages of a session, word for word. */
export async function runSessionsShow(invocation: Invocation, wanted: string, { limit }: ShowOptions): Promise<void> {
  const { output } = invocation
  await withStore(invocation, async (store) => {
    const session = await findSession(store, wanted)
    const messages = await readNewestMessages(store, session, limit)
    const summary = await findSummaryInForce(store, session)
    const compacted = {
      compactedSummary: summary?.text ?? null,
      compactBoundaryTimestamp: summary?.boundaryAt ?? null,
    }
    report(invocation, { ...describeSession(session), ...compacted, messages }, () => {
      const earlier = session.head.totals.messages - messages.length
      return [
        output.paint.bold(oneLine(session.title ?? 'Untitled')),
        output.paint.dim(`${session.id} · ${formatTime(session.createdAt)} · ${session.head.model ?? 'no model yet'}`),
        ...(earlier > 0 ? [output.paint.dim(`… ${formatCount(earlier, 'earlier message')}: --limit N`)] : []),
        ...toBlocks(messages).flatMap((block) => ['', ...renderBlock(block, { ...output, isUnfolded: false })]),
      ]
    })
  })
}

const PAGE_ENTRIES = 200

/** In order. Entries of other kinds lie between them. */
export async function readNewestMessages(
  store: Pick<Store, 'entries'>,
  { id }: Pick<SessionRecord, 'id'>,
  limit: number,
): Promise<readonly MessageEntry[]> {
  let found: readonly MessageEntry[] = []
  for (let to: number | null = null; found.length < limit;) {
    const page = await store.entries.read(id, { fromEnd: true, limit: PAGE_ENTRIES, ...(to === null ? {} : { to }) })
    found = [...page.filter((entry): entry is MessageEntry => entry.type === 'message'), ...found]
    const [first] = page
    if (first === undefined || first.seq === 1) break
    to = first.seq - 1
  }
  return found.slice(-limit)
}
