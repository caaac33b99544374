import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes alive on the heap once everything unreachable is gone. */
export function measureHeap(): number {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().heapUsed
}
