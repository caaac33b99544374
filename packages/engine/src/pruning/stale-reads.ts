import type { ToolPair } from '../messages/tool-pairs.ts'
import { readFileAccess } from './file-access.ts'
import type { FileAccess } from './file-access.ts'
import { placeOf } from './prunable.ts'

export interface StaleRead {
  readonly path: string
  readonly why: 'read-again' | 'changed'
}

/**
 * Reads whose content a later message overtook: the same file was changed, read in full, or read in just the same part.
 * A call counts only if it succeeded, and only against messages before its own: parallel calls have no order.
 * Found by the place of the result.
 */
export function findStaleReads(pairs: readonly ToolPair[]): ReadonlyMap<string, StaleRead> {
  const stale = new Map<string, StaleRead>()
  const laterByPath = new Map<string, FileAccess[]>()
  let sameMessage: FileAccess[] = []
  let messageIndex: number | null = null
  for (const { call, callMessage, answer } of pairs.toReversed()) {
    if (callMessage !== messageIndex) {
      for (const access of sameMessage) remember(laterByPath, access)
      sameMessage = []
      messageIndex = callMessage
    }
    const access = hasSucceeded(answer) ? readFileAccess(call) : null
    if (access === null || answer === null) continue
    sameMessage.push(access)
    const why = findWhy(access, laterByPath.get(access.path) ?? [])
    if (why !== null) stale.set(placeOf(answer.message, answer.part), { path: access.path, why })
  }
  return stale
}

function hasSucceeded(answer: ToolPair['answer']): boolean {
  return answer !== null && answer.result.isError !== true
}

function findWhy(access: FileAccess, later: readonly FileAccess[]): StaleRead['why'] | null {
  if (access.kind !== 'read') return null
  if (later.some(({ kind, extent }) => kind === 'read' && (extent === null || extent === access.extent)))
    return 'read-again'
  return later.some(({ kind }) => kind === 'change') ? 'changed' : null
}

/** Each kind and extent once: a file that is read a thousand times costs no more than one read twice. */
function remember(laterByPath: Map<string, FileAccess[]>, access: FileAccess): void {
  const later = laterByPath.get(access.path)
  if (later === undefined) laterByPath.set(access.path, [access])
  else if (!later.some(({ kind, extent }) => kind === access.kind && extent === access.extent)) later.push(access)
}
