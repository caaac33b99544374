import type { AuditPlace } from '@longhaul/protocol'

const SPEAKERS = { user: 'you', assistant: 'the agent', tool: 'a tool' } as const

/** By you, message 212. */
export function describePlace({ by, message }: AuditPlace): string {
  return `by ${SPEAKERS[by]}, message ${message.toLocaleString('en')}`
}
