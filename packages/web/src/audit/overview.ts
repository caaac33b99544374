import type { AuditStatus } from '@longhaul/protocol'

/** What the last audit found. */
export type Overview = NonNullable<AuditStatus['overview']>
