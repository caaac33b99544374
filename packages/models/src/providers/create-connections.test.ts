import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../port/model-info.ts'
import { createConnections } from './create-connections.ts'
import type { ConnectionOptions } from './create-connections.ts'

function connectionsOf(options: Partial<ConnectionOptions>) {
  return createConnections({
    providers: {},
    environment: {},
    fetch: undefined,
    ownIds: ['offline/extractive'],
    ...options,
  })
}

function infoOf(id: string): ModelInfo {
  const limits = { contextWindow: null, maxInput: null, maxOutput: null, price: null, cache: null, asOf: null }
  return { id, provider: id.includes('/') ? (id.split('/')[0] ?? '') : '', available: false, ...limits }
}

const LOCAL = { type: 'openai-compatible', baseURL: 'http://127.0.0.1:1/v1' } as const

describe('createConnections', () => {
  it('a key in the environment is enough', () => {
    const connections = connectionsOf({ environment: { OPENAI_API_KEY: ' sk-1 ' } })
    expect(connections.isAvailable('openai')).toBe(true)
    expect(connections.isAvailable('anthropic')).toBe(false)
    expect(connections.secrets).toEqual(['sk-1'])
  })

  it('the default is of the first of Anthropic, OpenAI and Google with a key', () => {
    const [anthropic, openai, google] = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'] as const
    const defaultOf = (...keys: readonly string[]) =>
      connectionsOf({ environment: Object.fromEntries(keys.map((key) => [key, 'k'])) }).defaultModel
    expect(defaultOf(google, openai, anthropic)).toMatch(/^anthropic\//)
    expect(defaultOf(google, openai)).toMatch(/^openai\//)
    expect(defaultOf(google)).toMatch(/^google\//)
    expect(defaultOf()).toBeNull()
    expect(connectionsOf({ environment: { ANTHROPIC_API_KEY: '  ' } }).defaultModel).toBeNull()
    const namesake = { ...LOCAL, apiKey: 'k' }
    expect(connectionsOf({ providers: { anthropic: namesake } }).defaultModel).toBeNull()
  })

  it('a server of one’s own needs no key', () => {
    const connections = connectionsOf({
      providers: { local: LOCAL, anthropic: { type: 'anthropic', baseURL: 'http://h/v1' } },
    })
    expect(connections.isAvailable('local')).toBe(true)
    expect(connections.isAvailable('anthropic')).toBe(true)
    expect(connections.connect(infoOf('local/some/model'))).toMatchObject({
      ok: true,
      connected: { model: { modelId: 'some/model' } },
    })
  })

  it('a vendor’s key from the environment never goes to another server that speaks its format', () => {
    const proxy = { type: 'anthropic', baseURL: 'http://h/v1' } as const
    const connections = connectionsOf({ providers: { proxy }, environment: { ANTHROPIC_API_KEY: 'key-of-the-vendor' } })
    expect(connections.secrets).toEqual(['key-of-the-vendor'])
    expect(connections.isAvailable('proxy')).toBe(true)
  })

  it('the same model is connected once', () => {
    const connections = connectionsOf({ providers: { local: LOCAL } })
    const [first, second] = [connections.connect(infoOf('local/a')), connections.connect(infoOf('local/a'))]
    expect(first.ok && second.ok && first.connected === second.connected).toBe(true)
  })

  it('without a key the failure says which variable and which setting', () => {
    expect(connectionsOf({}).connect(infoOf('google/gemini-4-argon'))).toMatchObject({
      ok: false,
      failure: {
        kind: 'auth',
        message: expect.stringMatching(/GOOGLE_GENERATIVE_AI_API_KEY.*providers\.google\.apiKey/),
      },
    })
  })

  it('an unknown provider is named with the nearest and all that there are', () => {
    const connections = connectionsOf({ providers: { local: LOCAL } })
    const failed = connections.connect(infoOf('antropic/claude-opus-5-5'))
    expect(failed).toMatchObject({ ok: false, failure: { kind: 'unknown-model' } })
    expect(!failed.ok && failed.failure.message).toMatch(/did you mean anthropic\?.*anthropic, openai, google.*local/)
    const bare = connections.connect(infoOf('gpt-4o'))
    expect(!bare.ok && bare.failure.message).toContain('provider/model')
  })

  it('secrets are keys and the headers that carry one', () => {
    const headers = { Authorization: 'Bearer token-in-a-header', 'X-Title': 'Longhaul' }
    const connections = connectionsOf({ providers: { local: { ...LOCAL, apiKey: 'key-of-local', headers } } })
    expect(connections.secrets).toEqual(['key-of-local', 'token-in-a-header'])
  })
})
