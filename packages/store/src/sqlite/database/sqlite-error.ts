import { StoreError } from '../../store-error.ts'
import type { StoreErrorOptions } from '../../store-error.ts'

/** Another connection holds the lock that this call needs: the same call may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  const kind = kindOf(error)
  return kind === RESULT.busy || kind === RESULT.locked
}

/** What SQLite, the driver or the file system says, in the store's own terms. Other errors are passed on as they are. */
export function toStoreError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error
  if ('errcode' in error && typeof error.errcode === 'number') return explainResult(error, error.errcode, file)
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'ERR_INVALID_STATE') return new StoreError('closed', 'The store is closed.', { cause: error })
  if (code?.startsWith('ERR_INVALID_ARG') === true) {
    return new StoreError('invalid', `This cannot be stored: ${error.message}`, { cause: error })
  }
  return syscall === undefined ? error : explainSystem(error, file)
}

/** Primary result codes; the low byte of every extended one. https://sqlite.org/rescode.html */
const RESULT = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  tooBig: 18,
  constraint: 19,
  mismatch: 20,
  notADatabase: 26,
} as const

const EXTENDED = { foreignKey: 787, primaryKey: 1555, unique: 2067 } as const

function kindOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null
}

function explainResult(error: Error, code: number, file: string): StoreError {
  const cause = { cause: error }
  switch (code & 0xff) {
    case RESULT.busy:
    case RESULT.locked:
      return unavailable(
        `${file} is locked by another process. Try again; if it stays locked, end that process.`,
        cause,
      )
    case RESULT.full:
      return unavailable(`The disk that holds ${file} is full. Free some space and try again.`, {
        ...cause,
        isFull: true,
      })
    case RESULT.readOnly:
    case RESULT.cannotOpen:
      return unavailable(`${file} cannot be written. Let this user write to it and to its folder.`, cause)
    case RESULT.ioError:
      return unavailable(`${file} could not be read or written (${error.message}). Check the disk.`, cause)
    case RESULT.corrupt:
    case RESULT.notADatabase:
      return new StoreError('damaged', `${file} is damaged. Run \`longhaul verify\`, and restore a backup.`, cause)
    case RESULT.constraint:
      return explainConstraint(error, code)
    case RESULT.tooBig:
    case RESULT.mismatch:
      return new StoreError('invalid', `This cannot be stored: ${error.message}.`, cause)
    default:
      return unavailable(`${file} did not do what was asked: ${error.message}.`, cause)
  }
}

function explainConstraint(error: Error, code: number): StoreError {
  const cause = { cause: error }
  if (code === EXTENDED.unique || code === EXTENDED.primaryKey) {
    return new StoreError('id-conflict', `An id is taken already (${error.message}). Use another one.`, cause)
  }
  if (code === EXTENDED.foreignKey) return new StoreError('not-found', 'What this belongs to is not there.', cause)
  return new StoreError('invalid', `This cannot be stored: ${error.message}.`, cause)
}

function explainSystem(error: NodeJS.ErrnoException, file: string): StoreError {
  const { code = error.message, path = file, syscall } = error
  const cause = { cause: error }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return unavailable(`The disk that holds ${path} is full. Free some space and try again.`, {
      ...cause,
      isFull: true,
    })
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return unavailable(`${path} cannot be written. Let this user write to it and to its folder.`, cause)
  }
  if (syscall === 'mkdir' || code === 'ENOTDIR') {
    return unavailable(`There can be no folder ${path} (${code}). Name another one, or make it yourself.`, cause)
  }
  return unavailable(`${path} could not be read or written (${code}). Check the disk.`, cause)
}

function unavailable(message: string, options: StoreErrorOptions): StoreError {
  return new StoreError('unavailable', message, options)
}
