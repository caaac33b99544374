import type { AuditStatus } from '@longhaul/protocol'

/** The result of the last completed audit. */
export type Overview = NonNullable<AuditStatus['overview']>
