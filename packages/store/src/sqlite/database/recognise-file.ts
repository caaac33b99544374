import { closeSync, openSync, readSync } from 'node:fs'
import { StoreError } from '../../store-error.ts'
import { openDriver } from './driver.ts'

/** "LONG": marks a database as ours in its first page. */
export const APPLICATION_ID = 0x4c_4f_4e_47

/**
 * Throws for a file that is not ours, or made by a newer version, before anything has touched it. The first page is read
 * without SQLite, which would leave its own files beside it.
 */
export function recogniseFile(file: string, newestVersion: number): void {
  const header = readHeader(file)
  if (header === null) return
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new StoreError('invalid', `${file} is not a database. Name another file, or restore a backup if it was one.`)
  }
  const applicationId = header.readUInt32BE(68)
  if (applicationId === APPLICATION_ID) checkVersion(file, header.readUInt32BE(60), newestVersion)
  else if (applicationId !== 0 || hasTables(file)) throw notOurs(file)
}

export function checkVersion(file: string, version: number, newestVersion: number): void {
  if (version <= newestVersion) return
  throw new StoreError(
    'newer-schema',
    `${file} was made by a newer Longhaul (schema ${version}, this one knows ${newestVersion}). Update Longhaul; nothing was changed.`,
  )
}

const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\u0000'

/** null: nothing is there yet. */
function readHeader(file: string): Buffer | null {
  const header = Buffer.alloc(HEADER_BYTES)
  try {
    const descriptor = openSync(file, 'r')
    try {
      const bytes = readSync(descriptor, header, 0, HEADER_BYTES, 0)
      return bytes === 0 ? null : header.subarray(0, bytes)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Without a mark it may be a new file of ours whose first migration lies in the log, or was never done. */
function hasTables(file: string): boolean {
  const connection = openDriver(file, { readOnly: true })
  try {
    const { application_id: id } = connection.prepare('PRAGMA application_id').get() ?? {}
    if (id === APPLICATION_ID) return false
    return connection.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined
  } finally {
    connection.close()
  }
}

function notOurs(file: string): StoreError {
  return new StoreError('invalid', `${file} is a database of another program. Name another file; nothing was changed.`)
}
