import type { AgentSession } from '../find/agent-session.ts'

/** A session without the place that it was found in. */
export type SessionRead = Pick<AgentSession, 'imported' | 'parentId' | 'windowTokens' | 'recorded'>
