import { isRecord } from '@longhaul/engine/advanced'
import type { Usage } from '@longhaul/engine'
import { decodeJson, toByteText } from '../json/bytes.ts'
import { endOfValue } from '../json/scan-json.ts'
import type { Wire } from '../wires/wire.ts'

/** Reads the bill out of an answer that passes by. Keeps the start and the end of it, never all. */
export interface UsageReader {
  readonly watch: (chunk: Buffer) => void
  /** The bill, once the answer has passed; null: it held none. */
  readonly read: () => Usage | null
}

const HEAD_BYTES = 16 * 1024
const TAIL_BYTES = 64 * 1024

export function createUsageReader(wire: Wire): UsageReader {
  let head = ''
  /** The newest chunks, with at least as many bytes as are read in the end. */
  let newest: string[] = []
  let bytes = 0
  return {
    watch(chunk) {
      const text = toByteText(chunk)
      if (head.length < HEAD_BYTES) head += text.slice(0, HEAD_BYTES - head.length)
      newest.push(text)
      bytes += text.length
      if (bytes < TAIL_BYTES * 2) return
      newest = [newest.join('').slice(-TAIL_BYTES)]
      bytes = TAIL_BYTES
    },
    read() {
      let usage: Usage | null = null
      const tail = newest.join('').slice(-TAIL_BYTES)
      const found = [
        ...findUsages(head, (starts) => starts.slice(0, MOST)),
        ...findUsages(tail, (starts) => starts.slice(-MOST)),
      ]
      for (const raw of found) usage = wire.readUsage(raw, usage) ?? usage
      return usage
    },
  }
}

/** Inside a string the quotes would be escaped, so words of the model are never taken for a bill. */
const USAGE = /(?<!\\)"usage"\s*:\s*\{/g

const MOST = 2

/** Only a few are read: an answer may be full of words that look like a bill. */
function findUsages(text: string, choose: (starts: readonly number[]) => readonly number[]) {
  const starts = [...text.matchAll(USAGE)].map((match) => match.index + match[0].length - 1)
  return readUsages(text, choose(starts))
}

function readUsages(text: string, starts: readonly number[]): readonly Readonly<Record<string, unknown>>[] {
  return starts.flatMap((start) => {
    try {
      const value = decodeJson(text.slice(start, endOfValue(text, start)))
      return isRecord(value) ? [value] : []
    } catch {
      // Cut off where the kept stretch ends.
      return []
    }
  })
}
