import { describe, expect, it } from 'vitest'
import { createProgram } from '../program/create-program.ts'
import { createOutput } from '../terminal/output.ts'
import { createFolder, runCli } from '../testing/run-cli.ts'
import { findCandidates } from './find-candidates.ts'
import { SHELLS } from './shells.ts'

const { command } = createProgram({ output: createOutput({}), environment: {}, signal: AbortSignal.any([]) })

function words(...typed: readonly string[]): readonly string[] {
  const found = findCandidates(command, typed)
  return found.kind === 'words' ? found.words.map(({ value }) => value) : [`(${found.kind})`]
}

describe('completion', () => {
  it('knows commands, their commands and their options', () => {
    expect(words('')).toContain('sessions')
    expect(words('')).not.toContain('complete')
    expect(words('sessions', '')).toEqual(['list', 'show', 'export', 'import', 'delete'])
    expect(words('context', '--')).toEqual(expect.arrayContaining(['--detail', '--data', '--json']))
    expect(words('completion', '')).toEqual(SHELLS)
  })

  it('knows what has to be looked up: sessions, models, presets', () => {
    expect(words('status', '')).toEqual(['(sessions)'])
    expect(words('status', '--data', '/somewhere', '')).toEqual(['(sessions)'])
    expect(words('chat', '--session', '')).toEqual(['(sessions)'])
    expect(words('chat', '--model', 'o')).toEqual(['(models)'])
    expect(words('chat', '--preset', '')).toEqual(['(presets)'])
    expect(words('backup', '')).toEqual(['(none)'])
    expect(words('recall', 'id', '')).toEqual(['(none)'])
  })

  it('works in bash as it is installed', async () => {
    const folder = await createFolder()
    const { stdout } = await runCli(['complete', '--', 'chat', '--preset', 'open'], { folder })
    expect(stdout).toBe('openclaw\t\n')
    for (const shell of SHELLS) {
      expect((await runCli(['completion', shell], { folder })).stdout).toContain('longhaul complete --')
    }
  })
})
