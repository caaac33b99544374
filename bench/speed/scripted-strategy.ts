import type { CompactionStrategy, SummaryDocument } from '@longhaul/engine'
import { createRandom } from './random.ts'
import { createText } from './text.ts'

const SUMMARY_CHARS = 8_000
const SOURCES = 20

/** Writes a summary of the usual size at once, so that a session can grow old without a model. */
export function createScriptedStrategy(): CompactionStrategy {
  return {
    name: 'scripted',
    summarize: ({ move, span }) => {
      const sources = span.slice(0, SOURCES).map(({ entry }) => entry.id)
      return Promise.resolve({ ok: true, document: createScriptedDocument(move.fromSeq, sources), usage: null })
    },
  }
}

export function createScriptedDocument(seed: number, sources: readonly string[]): SummaryDocument {
  const text = createText(createRandom(seed), 'prose', SUMMARY_CHARS)
  return { version: 1, sections: [{ title: 'So far', items: [{ id: 's1', text, sources, status: 'open' }] }] }
}
