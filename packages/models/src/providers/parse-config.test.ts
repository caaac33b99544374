import { describe, expect, it } from 'vitest'
import { ModelsError } from '../models-error.ts'
import { parseConfig } from './parse-config.ts'

function problemOf(config: unknown): string {
  try {
    parseConfig(config as never)
  } catch (error) {
    expect(error).toBeInstanceOf(ModelsError)
    return (error as ModelsError).message
  }
  return 'no problem'
}

describe('parseConfig', () => {
  it('takes the configuration of the manual as it stands', () => {
    const { providers, models } = parseConfig({
      providers: {
        anthropic: {
          apiKey: 'a-key',
          baseURL: 'http://127.0.0.1:9/v1',
          models: { 'some-model': { contextWindow: 200_000, maxOutput: 8_000 } },
        },
        local: {
          type: 'openai-compatible',
          baseURL: 'http://127.0.0.1:8080/v1',
          models: { 'my-model': { contextWindow: 32_768, maxOutput: 4_096 } },
        },
      },
      models: { 'openai/gpt-4o': { contextWindow: 64_000 }, 'openai/o3': { contextWindow: null } },
    })
    expect(providers['anthropic']?.type).toBe('anthropic')
    expect(providers['local']?.type).toBe('openai-compatible')
    expect(models['openai/o3']).toEqual({ contextWindow: null })
  })

  it('prices may leave out what is not known', () => {
    const { models } = parseConfig({ providers: {}, models: { 'a/b': { price: { input: 1, output: 2 } } } })
    expect(models['a/b']?.price).toEqual({ input: 1, output: 2, cacheRead: null, cacheWrite: null, tiers: [] })
  })

  it.each([
    [{ anthropic: { baseUrl: 'http://x/v1' } }, 'providers.anthropic.baseUrl: unknown key; did you mean baseURL?'],
    [{ antropic: { apiKey: 'x' } }, 'did you mean the provider anthropic?'],
    [{ local: { baseURL: 'http://x/v1' } }, 'providers.local.type: say which kind'],
    [{ local: { type: 'openai-compatible' } }, 'providers.local.baseURL: say where it answers'],
    [{ local: { type: 'ollama', baseURL: 'http://x/v1' } }, '"openai-compatible"'],
    [{ openai: { baseURL: 'api.openai.com' } }, 'expected an http or https address'],
    [{ openai: { baseURL: 'file:///etc' } }, 'expected an http or https address'],
    [{ openai: { baseURL: 'https://me:secret@host/v1' } }, 'must not hold a name or password'],
    [{ openai: { apiKey: 42 } }, 'providers.openai.apiKey: expected string, received number'],
    [{ openai: { api: 'completions' } }, 'providers.openai.api'],
    [{ openai: { models: { x: { contextwindow: 1 } } } }, 'did you mean contextWindow?'],
    [{ openai: { models: { x: { contextWindow: 0 } } } }, 'providers.openai.models.x.contextWindow'],
    [{ 'my/server': { type: 'openai-compatible', baseURL: 'http://x/v1' } }, 'use letters, digits'],
    [{ offline: { type: 'openai-compatible', baseURL: 'http://x/v1' } }, 'belongs to the built-in model'],
    [{ openai: null }, 'providers.openai: expected object'],
  ])('refuses %j and says what to do', (providers, problem) => {
    expect(problemOf({ providers, models: {} })).toContain(problem)
  })

  it('lists everything that is wrong, each with its path', () => {
    try {
      parseConfig({ providers: { a: { type: 'openai', apiKey: 1 } }, models: { 'a/b': { maxOutput: 'x' } } } as never)
      expect.unreachable()
    } catch (error) {
      expect((error as ModelsError).issues.map(({ path }) => path)).toEqual([
        ['providers', 'a', 'apiKey'],
        ['models', 'a/b', 'maxOutput'],
      ])
    }
  })

  it('never quotes a value: it might be a key', () => {
    const key = 'sk-secret-1234567890'
    expect(
      problemOf({ providers: { openai: { apiKey: [key], api: key, type: key, baseURL: key } }, models: {} }),
    ).not.toContain(key)
    expect(problemOf({ providers: { openai: { baseURL: `https://u:${key}@h/v1` } }, models: {} })).not.toContain(key)
  })
})
