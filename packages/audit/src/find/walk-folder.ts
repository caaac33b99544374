import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditProblem } from '../report/audit-report.ts'
import { describeError } from './describe-error.ts'

/** Deeper than any agent keeps its files. */
const MAX_DEPTH = 16

export interface Walk {
  readonly onFile: (path: string, name: string) => void | Promise<void>
  readonly onProblem: (problem: AuditProblem) => void
  readonly signal?: AbortSignal | undefined
}

/** Every file below a folder, in the order of the names. Links are not followed; a folder that cannot be read is told. */
export async function walkFolder(folder: string, walk: Walk, depth = 0): Promise<void> {
  walk.signal?.throwIfAborted()
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    walk.onProblem({ path: folder, line: null, reason: describeError(error) })
    return []
  })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isFile()) await walk.onFile(path, entry.name)
    else if (entry.isDirectory() && depth < MAX_DEPTH) await walkFolder(path, walk, depth + 1)
  }
}
