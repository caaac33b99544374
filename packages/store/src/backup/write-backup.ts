import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Store } from '../port/store.ts'
import { StoreError } from '../store-error.ts'
import { BACKUP_VERSION, PROGRESS_EVERY_RECORDS, createCounts } from './backup-format.ts'
import type { BackupEnd, BackupHeader, BackupInfo, BackupOptions } from './backup-format.ts'
import { checkBackup } from './read-backup.ts'

export interface WriteBackupOptions extends BackupOptions {
  /** The time it is said to be from; without it, now. */
  readonly now?: number
}

/**
 * Writes everything a store holds into one file, while the store is in use. The file appears under its name only when
 * it is on disk and has been read back; until then, a backup of that name stays as it is.
 */
export async function writeBackup(store: Store, file: string, options: WriteBackupOptions = {}): Promise<BackupInfo> {
  const { signal } = options
  const part = `${file}.${randomUUID()}.part`
  try {
    // Whoever may not read the store must not read it here.
    const sink = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(
      inChunks(writeLines(store, options)),
      createGzip(),
      sink,
      ...(signal === undefined ? [] : [{ signal }]),
    )
    const info = await checkBackup(part, signal === undefined ? {} : { signal })
    await rename(part, file)
    await syncFolder(dirname(file))
    return info
  } catch (error) {
    await rm(part, { force: true })
    signal?.throwIfAborted()
    throw error instanceof StoreError && error.code !== 'unreadable-backup' ? error : cannotWrite(file, error)
  }
}

async function* writeLines(store: Store, options: WriteBackupOptions): AsyncGenerator<string> {
  const { signal, onProgress, now = Date.now() } = options
  const hash = createHash('sha256')
  const counts = createCounts()
  const hashed = (line: BackupHeader | object): string => {
    const text = `${JSON.stringify(line)}\n`
    hash.update(text)
    return text
  }
  let records = 0
  yield hashed({ type: 'backup', version: BACKUP_VERSION, createdAt: now, kind: store.kind } satisfies BackupHeader)
  for await (const record of store.dump(signal)) {
    counts[record.type] += 1
    records += 1
    yield hashed(record)
    if (records % PROGRESS_EVERY_RECORDS === 0) onProgress?.({ records })
  }
  onProgress?.({ records })
  yield `${JSON.stringify({ type: 'end', counts, sha256: hash.digest('hex') } satisfies BackupEnd)}\n`
}

const CHUNK_CHARS = 65_536

/** Compressing line by line would cost a round trip to another thread for each. */
async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let held: string[] = []
  let chars = 0
  for await (const line of lines) {
    held.push(line)
    chars += line.length
    if (chars < CHUNK_CHARS) continue
    yield held.join('')
    held = []
    chars = 0
  }
  yield held.join('')
}

/** A new name lasts only once its folder is on disk. Windows knows no such thing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function cannotWrite(file: string, error: unknown): StoreError {
  const cause = { cause: error }
  const reason = error instanceof Error ? error.message : String(error)
  if (!(error instanceof StoreError)) {
    return new StoreError('unavailable', `The backup ${file} could not be written: ${reason}.`, cause)
  }
  const message = `No backup was written, because it could not be restored. Run \`longhaul verify\`. (${reason})`
  return new StoreError('damaged', message, cause)
}
