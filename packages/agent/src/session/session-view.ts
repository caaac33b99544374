import { resolveWindow } from '@longhaul/engine/advanced'
import type { EffectiveWindow, LeftOutTools, SessionContext, WiderWish } from '@longhaul/engine/advanced'
import type { InboxKind, SessionRecord } from '@longhaul/store/port'
import type { SessionSettings } from '../port/agent-options.ts'
import { createActiveSession } from './active-session.ts'
import type { ActiveSession, ResolvedOptions } from './active-session.ts'
import { asHostKeepsIt } from './as-host-keeps-it.ts'
import { originOf } from './origin-of.ts'

/** Something that was asked of a session and is not done yet. */
export interface WaitingWish {
  readonly id: string
  readonly kind: InboxKind
}

/** A session as it was at one moment, for looking at. Data alone: nothing can be written through it. */
export interface SessionView {
  readonly id: string
  readonly title: string | null
  /** The program that keeps the conversation; null: Longhaul does. */
  readonly origin: string | null
  /** Wishes that wait for the next call of that program. */
  readonly waiting: readonly WaitingWish[]
  readonly settings: SessionSettings
  /** Keys of its own words that ask for more than the owner allows; the policy in force has them lowered. */
  readonly lowered: readonly WiderWish[]
  readonly model: string
  /** What the next request would be made of: transcript, surroundings, policy and limits. */
  readonly context: SessionContext
  readonly window: EffectiveWindow
  /** Tools of others that do not fit their part of the window. */
  readonly leftOutTools: readonly LeftOutTools[]
  /** What an endpoint named as its limit; null: none has. */
  readonly learntWindow: number | null
}

/** From the owner’s hands if this process is the owner: then nothing is read but the record. */
export async function createSessionView(
  ours: ResolvedOptions,
  record: SessionRecord,
  owned: ActiveSession | null,
): Promise<SessionView> {
  const origin = originOf(record.header)
  const agent = origin === null ? ours : asHostKeepsIt(ours, record, origin)
  // An owner that is behind the store has lost the session and does not know it yet.
  const isCurrent = owned !== null && owned.log.state().head.lastSeq >= record.head.lastSeq
  const session = isCurrent ? owned : await createActiveSession(agent, record, null)
  const { learning, model, policy, settings } = session
  const learntWindow = learning.windowTokens()
  return {
    id: session.id,
    origin,
    waiting: origin === null ? [] : (await agent.store.inbox.list(record.id)).map(({ id, kind }) => ({ id, kind })),
    title: session.log.state().head.settings.title ?? record.title,
    settings: settings(),
    lowered: agent.findWider(settings()),
    model: model(),
    context: session.context(),
    window: resolveWindow({ ...agent.models.windowOf(model()), learnt: learntWindow }, policy()),
    leftOutTools: session.leftOutTools(),
    learntWindow,
  }
}
