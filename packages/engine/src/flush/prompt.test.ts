import { describe, expect, test } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import { createFlushPrompt } from './prompt.ts'

const date = '2026-02-28'
const files = PRESETS.openclaw.compaction.memoryFlush
const tool = PRESETS.spec008.compaction.memoryFlush

describe("Longhaul's own words", () => {
  test('OPEN-09 files: every point of seed 001', () => {
    const { system, prompt } = createFlushPrompt({ policy: files, date })
    expect(system).toContain('about to be compacted')
    expect(system).toContain('store durable memories now')
    expect(prompt).toContain('lasting notes')
    expect(prompt).toContain('memory/2026-02-28.md')
    expect(prompt).toContain('Append only')
    expect(prompt).toMatch(/NO_REPLY when you are done, or at once if there is nothing to store/)
    expect(system + prompt).not.toContain('YYYY')
  })

  test('SPEC-03 tool: every point of seed 004', () => {
    const { system, prompt } = createFlushPrompt({ policy: tool, date })
    expect(system).toContain('near its context limit')
    for (const point of [
      'Review the conversation',
      'durable context',
      'save_memory',
      'preferences',
      'decisions',
      'key facts',
      'should persist',
    ]) {
      expect(prompt).toContain(point)
    }
    expect(prompt).toMatch(/SILENT after saving, or with SILENT alone if nothing needs saving/)
  })

  test('OPEN-09 the token is the policy’s', () => {
    const { prompt } = createFlushPrompt({ policy: { ...files, silentToken: 'QUIET' }, date })
    expect(prompt).toContain('QUIET')
    expect(prompt).not.toContain('NO_REPLY')
  })
})

describe("the policy's words", () => {
  test('OPEN-09 are used as they are, with the date filled in', () => {
    const policy = {
      ...files,
      systemPrompt: 'Session nearing compaction on YYYY-MM-DD. Store durable memories now.',
      prompt: 'Write to memory/YYYY-MM-DD.md and $& memory/YYYY-MM-DD.md; reply with no_reply if nothing to store.',
    }
    expect(createFlushPrompt({ policy, date })).toEqual({
      system: 'Session nearing compaction on 2026-02-28. Store durable memories now.',
      prompt: 'Write to memory/2026-02-28.md and $& memory/2026-02-28.md; reply with no_reply if nothing to store.',
    })
  })

  test('OPEN-09 a prompt without the token gets a hint', () => {
    const { prompt } = createFlushPrompt({ policy: { ...files, prompt: 'Save your notes.' }, date })
    expect(prompt).toBe('Save your notes.\n\nReply with NO_REPLY when you are done, or if there is nothing to store.')
  })

  test('OPEN-09 one may be set without the other', () => {
    const own = createFlushPrompt({ policy: files, date })
    expect(createFlushPrompt({ policy: { ...files, systemPrompt: 'Mine.' }, date })).toEqual({
      ...own,
      system: 'Mine.',
    })
    expect(createFlushPrompt({ policy: { ...files, prompt: 'Mine. NO_REPLY' }, date })).toEqual({
      ...own,
      prompt: 'Mine. NO_REPLY',
    })
  })
})
