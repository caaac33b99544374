import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Frees what a part of a long conversation left behind. By itself V8 lets the heap grow to gigabytes first, however
 * little of it is in use.
 */
export function collectGarbage(): void {
  collect ??= findCollector()
  collect()
}

let collect: (() => void) | null = null

function findCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
