import { describe, expect, it } from 'vitest'
import { createSystemPrompt } from './system-prompt-v1.ts'

describe('createSystemPrompt', () => {
  it.each([
    ['rw', ['recall', 'read_artifact', 'memory_search', 'memory_get', 'save_memory']],
    ['ro', ['recall', 'read_artifact', 'memory_search', 'memory_get']],
    ['none', ['recall', 'read_artifact']],
  ] as const)('with access %s names the tools that are there, and no other', (access, tools) => {
    expect(
      [...createSystemPrompt({ access, hasArtifacts: true }).matchAll(/`(\w+)`/g)].map(([, name]) => name),
    ).toStrictEqual(tools)
  })

  it('LH-06 names no tool for artifacts where none are stored', () => {
    expect(createSystemPrompt({ access: 'rw', hasArtifacts: false })).not.toMatch(/artifact|was cut/)
  })
})
