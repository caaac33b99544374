import type { Memory } from '../port/memory.ts'
import { checkId } from '../records/check-id.ts'
import { toStorableText } from '../records/describe-session.ts'
import { clampLimit } from '../records/page.ts'
import { rankByNearness } from '../vectors/rank-by-nearness.ts'
import type { VectorRow } from '../vectors/rank-by-nearness.ts'
import { toVectorBytes } from '../vectors/vector-bytes.ts'
import { contentOf } from './data.ts'
import type { Content, Data } from './data.ts'

export function createInMemoryVectors(data: Data): Pick<Memory, 'listWithoutVector' | 'putVectors' | 'searchNear'> {
  return {
    async listWithoutVector(model, limit) {
      const { documents, vectors } = contentOf(data)
      const newest = [...documents.values()].toSorted((first, second) => second.updatedAt - first.updatedAt)
      const texts = new Set(newest.flatMap(({ chunks }) => chunks.map(({ text }) => text)))
      return [...texts].filter((text) => vectors.get(model)?.has(text) !== true).slice(0, clampLimit(limit))
    },
    async putVectors(model, vectors) {
      checkId(model, 'model')
      const rows = vectors.map(({ text, vector }) => [toStorableText(text), toVectorBytes(vector)] as const)
      const content = contentOf(data)
      content.vectors.set(model, new Map([...(content.vectors.get(model) ?? []), ...rows]))
      forgetVectors(content)
    },
    async searchNear({ model, vector, kinds, limit }) {
      const { documents, vectors } = contentOf(data)
      const rows = [...documents.values()].flatMap(({ name, updatedAt, chunks }) =>
        chunks.flatMap(({ kind, line, text }): readonly VectorRow[] => {
          const own = vectors.get(model)?.get(text)
          if (own === undefined || kinds?.includes(kind) === false) return []
          return [{ kind, line, text, document: name, updatedAt, vector: own }]
        }),
      )
      return rankByNearness(rows, toVectorBytes(vector), clampLimit(limit))
    },
  }
}

/** Of texts that no chunk holds any more. */
export function forgetVectors({ documents, vectors }: Content): void {
  const held = new Set([...documents.values()].flatMap(({ chunks }) => chunks.map(({ text }) => text)))
  for (const ofModel of vectors.values()) for (const text of ofModel.keys()) if (!held.has(text)) ofModel.delete(text)
}
