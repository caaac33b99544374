import { describe, expect, it } from 'vitest'
import { splitEnvironment } from './split-environment.ts'

describe('splitEnvironment', () => {
  const environment = {
    PATH: '/bin',
    HOME: '/home/ada',
    SSH_AUTH_SOCK: '/run/agent',
    KEYBOARD_LAYOUT: 'de',
    EMPTY: '',
    ANTHROPIC_API_KEY: ' sk-anthropic ',
    OPENAI_API_KEY: 'sk-openai-1',
    LONGHAUL_TOKEN: 'server-token',
    LONGHAUL_DATA: '/data',
    GITHUB_TOKEN: 'gh',
    AWS_SECRET_ACCESS_KEY: 'aws',
    DB_PASSWORD: 'pw',
    DATABASE_URL: 'postgres://ada:secret@db/x',
    COPY: 'prefix sk-openai-1 suffix',
    FILE_COPY: 'the-file-secret',
    GONE: undefined,
  }

  it('gives commands no key, no token and nothing that repeats one', () => {
    const split = splitEnvironment(environment, { secrets: ['the-file-secret', 'de'], letThrough: [] })
    expect(split.commandEnvironment).toStrictEqual({
      PATH: '/bin',
      HOME: '/home/ada',
      SSH_AUTH_SOCK: '/run/agent',
      KEYBOARD_LAYOUT: 'de',
    })
    expect(split.providerKeys).toStrictEqual({ ANTHROPIC_API_KEY: 'sk-anthropic', OPENAI_API_KEY: 'sk-openai-1' })
  })

  it('lets through what the configuration names, but never keys of providers or our own', () => {
    const letThrough = ['GITHUB_TOKEN', 'OPENAI_API_KEY', 'LONGHAUL_TOKEN', 'DATABASE_URL']
    const { commandEnvironment } = splitEnvironment(environment, { secrets: [], letThrough })
    expect(commandEnvironment).toMatchObject({ GITHUB_TOKEN: 'gh', DATABASE_URL: 'postgres://ada:secret@db/x' })
    expect(Object.keys(commandEnvironment)).not.toContain('OPENAI_API_KEY')
    expect(Object.keys(commandEnvironment)).not.toContain('LONGHAUL_TOKEN')
  })
})
