import { findSummaryInForce, originOf, walkPathBack } from '@longhaul/runtime'
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
        output.paint.dim(
          [session.id, ...keptBy(session), formatTime(session.createdAt), session.head.model ?? 'no model yet'].join(
            ' · ',
          ),
        ),
        ...(earlier > 0 ? [output.paint.dim(`… ${formatCount(earlier, 'earlier message')}: --limit N`)] : []),
        ...toBlocks(messages).flatMap((block) => ['', ...renderBlock(block, { ...output, isUnfolded: false })]),
      ]
    })
  })
}

function keptBy({ header }: SessionRecord): readonly string[] {
  const origin = originOf(header)
  return origin === null ? [] : [`kept by ${oneLine(origin)}`]
}

/** In order. Entries of other kinds lie between them; those of other branches are passed over. */
export async function readNewestMessages(
  store: Pick<Store, 'entries'>,
  { id }: Pick<SessionRecord, 'id'>,
  limit: number,
): Promise<readonly MessageEntry[]> {
  const found: MessageEntry[] = []
  for await (const entry of walkPathBack(store, id)) {
    if (found.length >= limit) break
    if (entry.type === 'message') found.unshift(entry)
  }
  return found
}
