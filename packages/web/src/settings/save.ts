import type { SessionChange } from '@longhaul/protocol'

/** Makes a change and says so; rejects where the server refuses it. */
export type Save = (change: SessionChange, whatChanged: string) => Promise<void>
