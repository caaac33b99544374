import { readFileSync } from 'node:fs'
import { outputText, renderDocument } from '@longhaul/engine/advanced'
import type { CompactionEntry, MessageEntry } from '@longhaul/engine/advanced'
import { readTranscripts } from '@longhaul/store/jsonl'
import { expect, it } from 'vitest'
import { describeWithDataSet } from '../../../../test/data-sets.ts'
import type { AgentSession } from '../find/agent-session.ts'
import { auditSession } from './audit-session.ts'

const FILES = ['claude-code/258c7280.jsonl', 'claude-code/4d5611e5.jsonl', 'pi/before-compaction.jsonl']

for (const file of FILES) {
  describeWithDataSet(`the losses of ${file}`, file, (path) => {
    // A plain search, which shares nothing with the measure.
    it('stand before the compaction, in a later message, and neither in the summary nor in what was kept', async () => {
      const [imported] = readTranscripts(readFileSync(path, 'utf8'))
      if (imported === undefined) throw new Error('The file holds no session.')
      const found = { agent: 'other', path, bytes: 0, changedAt: 0, parentId: null, windowTokens: null } as const
      const session: AgentSession = { ...found, imported, recorded: new Map() }
      const { compactions, withLonghaul } = await auditSession(session, { signal: new AbortController().signal })
      const messages = imported.entries.filter((entry): entry is MessageEntry => entry.type === 'message')
      const made = imported.entries.filter((entry): entry is CompactionEntry => entry.type === 'compaction')
      expect(compactions).toHaveLength(made.length)
      for (const [place, { lost, told, facts, costUsd }] of compactions.entries()) {
        const { seq, fromSeq, document } = made[place] ?? { seq: 0, fromSeq: 0, document: { version: 1, sections: [] } }
        const kept = messages
          .filter((message) => message.seq >= fromSeq && message.seq < seq)
          .map(textOf)
          .join('\n')
        const before = messages
          .filter((message) => message.seq < seq)
          .map(textOf)
          .join('\n')
        for (const { text, kind, neededAt } of lost) {
          const needle = (kind === 'path' ? (text.split('/').at(-1) ?? text) : text).toLowerCase()
          const needed = messages.find(({ id }) => id === neededAt.entryId)
          expect(before).toContain(needle)
          expect(`${renderDocument(document)}\n${kept}`.toLowerCase()).not.toContain(needle)
          expect(needed?.seq).toBeGreaterThan(seq)
          expect(needed === undefined ? '' : textOf(needed)).toContain(needle)
        }
        expect(told).toBeLessThan(facts)
        expect(costUsd).toBeGreaterThan(0)
      }
      expect(withLonghaul?.costUsd).toBeGreaterThan(0)
    })
  })
}

function textOf({ parts }: MessageEntry): string {
  const texts = parts.map((part) => {
    if (part.type === 'tool-result') return outputText(part.output)
    if (part.type === 'tool-call') return JSON.stringify(part.input)
    return part.type === 'text' ? part.text : ''
  })
  return texts.join('\n').toLowerCase()
}
