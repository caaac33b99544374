import { describe, expect, it } from 'vitest'
import { createProseDocument } from '../../summary/render-document.ts'
import { joinSystem, renderSummaryMessage } from './place-summary.ts'
import type { Placement } from './place-summary.ts'

const prose = createProseDocument('They talked.', [])
const words = (
  placement: Placement,
  note: string | null = null,
  document: typeof prose | null = prose,
): string | null => {
  const [part] = renderSummaryMessage(document, note, placement)?.parts ?? []
  return part?.type === 'text' ? part.text : null
}

describe('renderSummaryMessage', () => {
  it.each([
    ['ONE-13', 'system-prompt', 'Previous conversation summary:\nThey talked.\n\n---'],
    ['MICRO-06', 'first-user-message', '[CONTEXT SUMMARY]\nThey talked.\n[END CONTEXT SUMMARY]'],
    ['SPEC-05', 'system-message', '[Session compacted. Summary of prior conversation:]\n\nThey talked.'],
  ] as const)('%s %s, to the letter', (_id, placement, expected) => {
    expect(words(placement)).toBe(expected)
  })

  it('says a note under the summary, or in its place; nothing where there is neither', () => {
    expect(words('system-message', 'Note.')).toBe(
      '[Session compacted. Summary of prior conversation:]\n\nThey talked.\n\nNote.',
    )
    expect(words('system-message', 'Note.', null)).toBe('[Session compacted. Summary of prior conversation:]\n\nNote.')
    expect(renderSummaryMessage(null, null, 'own-message')).toBeNull()
  })

  it('is the same object while nothing changes, and never that of another placement or note', () => {
    const document = createProseDocument('Same.', [])
    expect(renderSummaryMessage(document, null, 'own-message')).toBe(
      renderSummaryMessage(document, null, 'own-message'),
    )
    expect(words('own-message', 'Note.', document)).toContain('Note.')
    expect(words('own-message', null, document)).not.toContain('Note.')
    expect(words('system-prompt', null, document)).toBe('Previous conversation summary:\nSame.\n\n---')
  })
})

describe('joinSystem', () => {
  const summary = { kind: 'summary', text: 'S' }
  const pins = { kind: 'pin', text: 'P' }
  it.each([
    ['nothing before it', [], 'system', 'system'],
    ['neither', [], null, null],
    ['ONE-13 a summary', [summary], 'system', 'S\n\nsystem'],
    [
      'ONE-13 a summary and no system prompt',
      [summary],
      null,
      'S\n\nContinue the conversation based on the summary above.',
    ],
    ['a summary and pins', [summary, pins], 'system', 'S\n\nP\n\nsystem'],
    ['pins alone: there is no summary above', [pins], null, 'P'],
  ] as const)('%s', (_name, before, system, expected) => {
    expect(joinSystem(before, system)).toBe(expected)
  })
})
