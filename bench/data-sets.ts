import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTranscripts } from '@longhaul/store/jsonl'
import type { ImportedSession } from '@longhaul/store/jsonl'

/** A conversation of a data set, with the file it stands in. */
export interface RealSession extends ImportedSession {
  readonly file: string
}

export const FOLDER = process.env['LONGHAUL_DATA_SETS'] ?? join(import.meta.dirname, '../../shared/data')

/** Reads real conversations. They do not come with the repository: files that are missing are named and left out. */
export function loadDataSets(files: readonly string[], note: (line: string) => void): readonly RealSession[] {
  const missing = files.filter((file) => !existsSync(join(FOLDER, file)))
  if (missing.length > 0)
    note(`left out, because they are not here: ${missing.join(', ')}; set LONGHAUL_DATA_SETS to their folder`)
  return files
    .filter((file) => !missing.includes(file))
    .flatMap((file) => readTranscripts(readFileSync(join(FOLDER, file), 'utf8')).map((read) => ({ ...read, file })))
}

/** The path of a file of the data sets; null: it is not here. */
export function findDataSet(file: string): string | null {
  const path = join(FOLDER, file)
  return existsSync(path) ? path : null
}
