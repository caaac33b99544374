import { isRecord, readEntry } from '@longhaul/engine/advanced'
import type { Entry } from '@longhaul/engine/advanced'
import { StoreError } from '../store-error.ts'

/** The bytes an entry is kept as. Key order survives, because hashes of requests rest on it. */
export function writeEntry(entry: Entry): string {
  return JSON.stringify(entry)
}

export function parseEntry(text: string, sessionId: string, seq: number): Entry {
  const entry = readEntry(parseJson(text))
  if (entry === null || entry.seq !== seq) {
    throw new StoreError(
      'damaged',
      `Entry ${seq} of session ${sessionId} cannot be read. Run \`longhaul verify\`; restore a backup if it names more.`,
    )
  }
  return entry
}

/** For columns that hold an object of ours, of the shape that the caller wrote there. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what is stored as JSON has lost its type
export function parseObject<T extends object>(text: string, what: string): T {
  const value = parseJson(text)
  if (!isRecord(value)) throw new StoreError('damaged', `${what} cannot be read. Run \`longhaul verify\`.`)
  return value as T
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
