import { rankByWords, readQuery, splitWords } from '@longhaul/engine/advanced'
import type { Memory, MemoryChunk, MemoryDocument, MemoryHit } from '../port/memory.ts'
import { checkId } from '../records/check-id.ts'
import { toStorableText } from '../records/describe-session.ts'
import { clampLimit } from '../records/page.ts'
import { contentOf } from './data.ts'
import type { Data, DocumentRow } from './data.ts'
import { createInMemoryVectors, forgetVectors } from './vectors.ts'

export function createInMemoryMemory(data: Data): Memory {
  return {
    ...createInMemoryVectors(data),
    async put(document, chunks) {
      const row = toRow(document, chunks)
      const content = contentOf(data)
      content.documents.set(row.name, row)
      forgetVectors(content)
    },
    async append(document, chunks) {
      const { documents } = contentOf(data)
      const before = documents.get(document.name)
      const added = toRow(document, chunks)
      const row = before === undefined ? added : joinRows(before, added)
      documents.set(row.name, row)
      return toDocument(row)
    },
    async get(name) {
      const row = contentOf(data).documents.get(name)
      return row === undefined ? null : toDocument(row)
    },
    async list() {
      return [...contentOf(data).documents.values()].map(({ name, updatedAt }) => ({ name, updatedAt }))
    },
    async delete(name) {
      const content = contentOf(data)
      content.documents.delete(name)
      forgetVectors(content)
    },
    async search({ query, kinds, limit }) {
      const found = [...contentOf(data).documents.values()].flatMap(({ name, updatedAt, chunks }) =>
        chunks
          .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
          .map((chunk) => ({ ...chunk, document: name, updatedAt })),
      )
      const hits =
        query.trim() === ''
          ? found.toSorted(compareNewest).map((chunk) => ({ ...chunk, score: 0 }))
          : rankByWords(found, readQuery(query))
      return hits.slice(0, clampLimit(limit)).map(toHit)
    },
  }
}

export function toRow(document: MemoryDocument, chunks: readonly MemoryChunk[]): DocumentRow {
  const { name, updatedAt } = document
  checkId(name, 'document')
  const withWords = chunks.map(({ kind, line, text }) => ({
    kind,
    line,
    text: toStorableText(text),
    words: splitWords(text),
  }))
  return { name, updatedAt, text: toStorableText(document.text), chunks: withWords }
}

function toDocument({ name, updatedAt, text }: DocumentRow): MemoryDocument {
  return { name, updatedAt, text }
}

function toHit({ kind, line, text, document, updatedAt, score }: MemoryHit): MemoryHit {
  return { kind, line, text, document, updatedAt, score }
}

function joinRows(before: DocumentRow, added: DocumentRow): DocumentRow {
  const linesBefore = before.text.split('\n').length - 1
  return {
    name: before.name,
    updatedAt: Math.max(before.updatedAt, added.updatedAt),
    text: before.text + added.text,
    chunks: [...before.chunks, ...added.chunks.map((chunk) => ({ ...chunk, line: chunk.line + linesBefore }))],
  }
}

function compareNewest(first: Omit<MemoryHit, 'score'>, second: Omit<MemoryHit, 'score'>): number {
  return second.updatedAt - first.updatedAt || first.document.localeCompare(second.document) || second.line - first.line
}
