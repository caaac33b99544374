import type { JsonObject } from '@longhaul/engine/advanced'
import type { SessionRecord } from '@longhaul/store/port'
import { AgentError } from '../agent-error.ts'

/**
 * The name of the program that keeps a session's conversation, such as `pi`; null: Longhaul keeps it. A session of a
 * program that was exported and imported again is Longhaul's own.
 */
export function originOf({ origin, importedSeq }: JsonObject): string | null {
  return typeof origin === 'string' && origin !== '' && typeof importedSeq !== 'number' ? origin : null
}

/** The same session. Throws where another program keeps the conversation: only that program may go on with it. */
export function refuseKept(session: SessionRecord): SessionRecord {
  const origin = originOf(session.header)
  if (origin !== null) throw new AgentError('forbidden', describeKept(origin))
  return session
}

export function describeKept(origin: string): string {
  return `This conversation is kept by ${origin}. Longhaul shows it; you write to it and change it there.`
}
