import { isRecord } from '@longhaul/engine/advanced'
import type { Entry, JsonObject } from '@longhaul/engine/advanced'
import type { InboxItem } from '@longhaul/store/port'
import { writeSync } from 'node:fs'

/** What a program tells of itself; each only after the store has promised it. Times are milliseconds since 1970. */
export type Report =
  | { readonly type: 'ready'; readonly ownerId: string }
  | {
      readonly type: 'acquired'
      readonly sessionId: string
      readonly ownerId: string
      readonly token: number
      readonly abandoned: JsonObject | null
      readonly at: number
    }
  /** Somebody else has the session. `at` is when it was asked for. */
  | { readonly type: 'refused'; readonly sessionId: string; readonly holderId: string; readonly at: number }
  | { readonly type: 'released'; readonly sessionId: string; readonly ownerId: string; readonly at: number }
  | { readonly type: 'appended'; readonly sessionId: string; readonly entries: readonly Entry[] }
  | { readonly type: 'rejected'; readonly sessionId: string; readonly entries: readonly Entry[]; readonly code: string }
  | { readonly type: 'put'; readonly item: InboxItem }
  | { readonly type: 'artifact'; readonly sessionId: string; readonly id: string; readonly content: string }
  /** Noted with the lease; null just before it is taken away again. */
  | { readonly type: 'work'; readonly sessionId: string; readonly work: JsonObject | null }
  | { readonly type: 'opening' | 'opened'; readonly file: string }

/** At once and whole: when this returns, the parent has it, whatever becomes of this process. */
export function tell(report: Report): void {
  // Readline takes these two for the end of a line.
  const text = JSON.stringify(report).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  writeSync(1, `${text}\n`)
}

export function isReport(value: unknown): value is Report {
  return isRecord(value) && typeof value['type'] === 'string'
}
