import type { MemoryHit } from '../port/memory.ts'
import { readVectorBytes } from './vector-bytes.ts'

export interface VectorRow extends Omit<MemoryHit, 'score'> {
  readonly vector: Uint8Array
}

/** By looking at every one of them: for thousands of chunks that is as quick as an index. The newest of equals come first. */
export function rankByNearness(rows: Iterable<VectorRow>, near: Uint8Array, limit: number): readonly MemoryHit[] {
  const wanted = readVectorBytes(near)
  const hits: MemoryHit[] = []
  for (const { kind, line, text, document, updatedAt, vector } of rows) {
    if (vector.byteLength !== near.byteLength) continue
    hits.push({ kind, line, text, document, updatedAt, score: multiply(readVectorBytes(vector), wanted) })
  }
  return hits.toSorted(compareHits).slice(0, limit)
}

function multiply(first: Float32Array, second: Float32Array): number {
  let product = 0
  for (let index = 0; index < first.length; index += 1) product += (first[index] ?? 0) * (second[index] ?? 0)
  return product
}

function compareHits(first: MemoryHit, second: MemoryHit): number {
  return (
    second.score - first.score ||
    second.updatedAt - first.updatedAt ||
    (first.document < second.document ? -1 : first.document > second.document ? 1 : second.line - first.line)
  )
}
