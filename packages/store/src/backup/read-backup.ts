import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '@longhaul/engine/advanced'
import type { DumpRecord } from '../port/dump.ts'
import { StoreError } from '../store-error.ts'
import { BACKUP_VERSION, PROGRESS_EVERY_RECORDS, createCounts, unreadable } from './backup-format.ts'
import type { BackupEnd, BackupHeader, BackupInfo, BackupOptions } from './backup-format.ts'
import { createRecordCheck } from './check-record.ts'
import { readLines } from './read-lines.ts'

/**
 * The records of a backup, each checked before it is given out. Rejects with `unreadable-backup`, naming the line, where
 * the file is damaged, cut off or of a newer version. Only when it has come to its end was the whole file sound.
 */
export async function* readBackup(
  file: string,
  options: BackupOptions = {},
): AsyncGenerator<DumpRecord, BackupInfo, undefined> {
  const { signal, onProgress } = options
  const reader = createBackupReader(file)
  try {
    for await (const line of readLines(file, signal)) {
      const record = reader.readLine(line)
      if (record === null) continue
      yield record
      if (reader.countRecords() % PROGRESS_EVERY_RECORDS === 0) onProgress?.({ records: reader.countRecords() })
    }
    const info = reader.finish()
    onProgress?.({ records: reader.countRecords() })
    return info
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof StoreError ? error : reader.explain(error)
  }
}

/** Reads a whole backup and says what is in it. */
export async function checkBackup(file: string, options: BackupOptions = {}): Promise<BackupInfo> {
  const records = readBackup(file, options)
  for (;;) {
    const { done, value } = await records.next()
    if (done === true) return value
  }
}

interface BackupReader {
  /** The record of a line; null for header and end. */
  readLine(bytes: Buffer): DumpRecord | null
  finish(): BackupInfo
  countRecords(): number
  /** What a failure to read the file means for whoever wants to restore it. */
  explain(error: unknown): StoreError
}

function createBackupReader(file: string): BackupReader {
  const hash = createHash('sha256')
  const check = createRecordCheck()
  const counts = createCounts()
  let line = 0
  let records = 0
  let header: BackupHeader | undefined
  let hasEnded = false

  function refuse(why: string): StoreError {
    return unreadable(file, `cannot be restored: line ${line} ${why}.`)
  }

  function cutOff(options?: ErrorOptions): StoreError {
    return unreadable(file, line === 0 ? 'ends before its first line.' : `is cut off behind line ${line}.`, options)
  }

  function readEnd(end: BackupEnd): void {
    hasEnded = true
    if (!isDeepStrictEqual(end.counts, counts)) throw refuse('counts other records than there are')
    if (end.sha256 !== hash.digest('hex')) throw refuse('says that a byte before it has changed')
  }

  function readRecord(value: Readonly<Record<string, unknown>>): DumpRecord {
    const fault = check(value)
    if (fault !== null) throw refuse(`holds ${fault}`)
    const record = value as DumpRecord
    counts[record.type] += 1
    records += 1
    return record
  }

  return {
    readLine(bytes) {
      line += 1
      if (hasEnded) throw refuse('stands behind the end')
      const value = parseLine(bytes)
      if (!isRecord(value)) throw refuse('is damaged')
      if (value['type'] === 'end' && header !== undefined) {
        readEnd(value as unknown as BackupEnd)
        return null
      }
      hash.update(bytes)
      if (header !== undefined) return readRecord(value)
      header = readHeader(value, refuse)
      return null
    },
    finish() {
      if (header === undefined || !hasEnded) throw cutOff()
      return { createdAt: header.createdAt, kind: header.kind, counts }
    },
    countRecords: () => records,
    explain(error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'Z_BUF_ERROR') return cutOff({ cause: error })
      if (String(code).startsWith('Z_')) {
        const what = line === 0 ? 'is not a backup of Longhaul.' : `is damaged behind line ${line}.`
        return unreadable(file, what, { cause: error })
      }
      return unreadable(file, `cannot be read (${String(code ?? error)}).`, { cause: error })
    },
  }
}

function readHeader(value: Readonly<Record<string, unknown>>, refuse: (why: string) => StoreError): BackupHeader {
  const { type, version, createdAt, kind } = value
  if (type !== 'backup' || typeof version !== 'number') throw refuse('is not the first one of a backup')
  if (version > BACKUP_VERSION) {
    throw refuse(`is of version ${version}, and this Longhaul reads up to ${BACKUP_VERSION}: update it`)
  }
  if (typeof createdAt !== 'number' || typeof kind !== 'string') throw refuse('is not the first one of a backup')
  return { type, version, createdAt, kind }
}

function parseLine(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
