import type { DumpRecord } from '../port/dump.ts'
import { StoreError } from '../store-error.ts'

/*
 * A backup is gzipped JSON lines: a header, one line for each record of a dump, and an end with what the lines before it
 * come to. A file without its end is not a backup.
 */

export const BACKUP_VERSION = 1

export interface BackupHeader {
  readonly type: 'backup'
  readonly version: number
  readonly createdAt: number
  /** The kind of store it was made from. It restores into any other. */
  readonly kind: string
}

export interface BackupEnd {
  readonly type: 'end'
  readonly counts: RecordCounts
  /** Of all bytes before this line, uncompressed, in hex. */
  readonly sha256: string
}

export type RecordCounts = Readonly<Record<DumpRecord['type'], number>>

export interface BackupInfo {
  readonly createdAt: number
  readonly kind: string
  readonly counts: RecordCounts
}

export interface BackupOptions {
  readonly signal?: AbortSignal
  /** Told now and then how many records are done. */
  readonly onProgress?: (progress: { readonly records: number }) => void
}

export const PROGRESS_EVERY_RECORDS = 1_000

export function createCounts(): Record<DumpRecord['type'], number> {
  return { session: 0, entry: 0, artifact: 0, inbox: 0, request: 0, learned: 0, memory: 0 }
}

export function unreadable(file: string, why: string, options?: ErrorOptions): StoreError {
  return new StoreError('unreadable-backup', `${file} ${why} Nothing was restored; use another backup.`, options)
}
