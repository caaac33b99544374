import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRegistry } from './create-registry.ts'
import { priceUsage } from './price-usage.ts'

const registry = createRegistry()

describe('the table', () => {
  it.each([
    ['anthropic/claude-sonnet-4-20250514', 200_000],
    ['anthropic/claude-haiku-3-5-20241022', 200_000],
    ['anthropic/claude-opus-4-20250514', 200_000],
    ['openai/gpt-4o', 128_000],
    ['openai/gpt-4o-mini', 128_000],
    ['openai/gpt-4-turbo', 128_000],
    ['google/gemini-2.0-flash', 1_048_576],
    ['google/gemini-2.5-pro-preview-05-06', 1_048_576],
    ['openai/o1', 200_000],
    ['openai/o3-mini', 200_000],
    ['anthropic/claude-opus-4-5-20251101', 200_000],
    ['anthropic/claude-sonnet-4-5-20250929', 200_000],
    ['anthropic/claude-haiku-4-5-20251001', 200_000],
    ['google/gemini-2.5-pro', 1_048_576],
  ])('ONE-01 knows %s of the seeds with a window of %i', (id, window) => {
    expect(registry.describe(id).contextWindow).toBe(window)
    expect(registry.windowOf(id)).toEqual({ registry: window })
  })

  it.each([
    ['anthropic/claude-opus-4-5-20251101', 'anthropic/claude-opus-4-5'],
    ['anthropic/claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5'],
    ['anthropic/claude-haiku-4-5-20251001', 'anthropic/claude-haiku-4-5'],
  ])('ONE-23 lists the dated id %s with the facts of %s', (dated, plain) => {
    const listed = registry.list().find(({ id }) => id === dated)
    expect(listed).toEqual({ ...registry.describe(plain), id: dated })
    expect(listed?.contextWindow).toBe(200_000)
  })

  it.each([
    ['anthropic/claude-opus-5-5', 1_000_000, 128_000, 4],
    ['anthropic/claude-haiku-5-5', 1_000_000, 128_000, 0.1],
    ['openai/gpt-6.1-sol', 922_000, 128_000, 2],
    ['openai/gpt-5', 272_000, 128_000, 1.25],
    ['google/gemini-4-argon', 1_048_576, 32_768, 2],
    ['xai/grok-4.7', 500_000, null, 2],
    ['deepseek/deepseek-v4-pro', 1_000_000, 384_000, 1.32],
    ['offline/extractive', 32_768, null, 0],
  ])("ONE-01 knows today's %s", (id, window, maxOutput, inputPrice) => {
    expect(registry.windowOf(id).registry).toBe(window)
    expect(registry.describe(id)).toMatchObject({ maxOutput, price: { input: inputPrice } })
    expect(registry.describe(id).asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })

  it.each(registry.list())('is credible about $id', ({ contextWindow, maxInput, maxOutput, price, cache }) => {
    const window = contextWindow ?? 0
    expect(window).toBeGreaterThan(0)
    expect(maxInput ?? window).toBeLessThanOrEqual(window)
    expect(maxOutput ?? 0).toBeLessThanOrEqual(window)
    expect(cache?.ttlMs ?? 60_000).toBeGreaterThanOrEqual(60_000)
    for (const prices of price === null || price.input === 0 ? [] : [price, ...price.tiers]) {
      expect(prices.output).toBeGreaterThan(prices.input)
      expect(prices.cacheRead ?? 0).toBeLessThan(prices.input)
      expect(prices.cacheWrite ?? Infinity).toBeGreaterThan(prices.input)
      expect(prices.input).toBeGreaterThanOrEqual(price?.input ?? 0)
    }
  })

  it("bills GPT above 272,000 tokens of input at the long context's price", () => {
    const { price } = registry.describe('openai/gpt-5.4')
    expect(priceUsage(price, { input: 272_000, output: 1_000 })).toBeCloseTo(0.695, 10)
    expect(priceUsage(price, { input: 272_001, cacheRead: 272_001, output: 1_000 })).toBeCloseTo(0.158_500_5, 10)
  })

  it('has no price where nobody found one', () => {
    expect(registry.describe('anthropic/claude-fable-5-2').price).toBeNull()
  })
})

describe('a description', () => {
  it.each([
    ['anthropic/claude-haiku-4-5-20251001', 'anthropic/claude-haiku-4-5'],
    ['anthropic/claude-opus-5-5@20260901', 'anthropic/claude-opus-5-5'],
    ['anthropic/claude-sonnet-5-latest', 'anthropic/claude-sonnet-5'],
    ['openai/gpt-5-2025-08-07', 'openai/gpt-5'],
  ])('reads %s as an edition of %s', (dated, plain) => {
    expect(registry.describe(dated)).toEqual({ ...registry.describe(plain), id: dated })
  })

  it('gives an edition with facts of its own its own row', () => {
    expect(registry.describe('openai/gpt-4o-2024-05-13')).toMatchObject({ maxOutput: 4_096, price: { input: 5 } })
  })

  it.each([
    'anthropic/claude-sonnet-5-5-5',
    'anthropic/claude-sonnet',
    'anthropic/claude-opus-5-5-preview',
    'openai/gpt-5-chat-latest',
    'openai/gpt-5-pro',
    'OpenAI/gpt-5',
    'openai/',
    'gpt-5',
    '',
    'openai/constructor',
    '__proto__/toString',
  ])('does not guess: %j is unknown', (id) => {
    expect(registry.describe(id)).toMatchObject({
      id,
      contextWindow: null,
      maxInput: null,
      maxOutput: null,
      price: null,
      cache: null,
      asOf: null,
    })
    expect(registry.windowOf(id)).toEqual({ registry: null })
  })

  it("lets a proxy have the vendor's limits and states no price", () => {
    expect(registry.describe('openrouter/anthropic/claude-opus-4.5')).toMatchObject({
      provider: 'openrouter',
      contextWindow: 200_000,
      maxOutput: 64_000,
      price: null,
      cache: null,
    })
    expect(registry.windowOf('openrouter/openai/gpt-5')).toEqual({ registry: 272_000 })
    expect(registry.describe('openrouter/openai/gpt-5:free').contextWindow).toBeNull()
    expect(registry.describe('groq/openai/gpt-5').contextWindow).toBeNull()
  })

  it('takes the type of a provider for the vendor it serves', () => {
    const work = createRegistry({ providers: { work: { type: 'anthropic' } } })
    expect(work.describe('work/claude-opus-5-5')).toMatchObject({ contextWindow: 1_000_000, price: null })
    expect(work.describe('work/claude-opus-5-5').cache).toMatchObject({ kind: 'explicit' })
  })

  it('asks who can be called', () => {
    const some = createRegistry({ isAvailable: (provider) => provider === 'openai' })
    expect(some.describe('openai/gpt-5').available).toBe(true)
    expect(some.describe('google/gemini-2.5-pro').available).toBe(false)
    expect(registry.describe('openai/gpt-5').available).toBe(false)
  })
})

describe('overrides', () => {
  const configured = createRegistry({
    overrides: { 'openai/gpt-4o': { contextWindow: 64_000 }, 'openai/o1': { contextWindow: null } },
    providers: {
      openai: {
        models: { 'gpt-4o': { contextWindow: 32_000, maxOutput: 1_000 }, 'gpt-5': { contextWindow: 300_000 } },
      },
      local: {
        type: 'openai-compatible',
        models: {
          'my-model': { contextWindow: 32_768, maxOutput: 4_096, price: { input: 1, output: 2 } },
          'vendor/with-slash': { maxInput: 9_000 },
        },
      },
    },
  })

  it('OPEN-03 keeps the word of the user apart from the table', () => {
    expect(configured.windowOf('openai/gpt-4o')).toEqual({ registry: 128_000, override: 64_000 })
    expect(configured.windowOf('openai/gpt-4o-2024-11-20')).toEqual({ registry: 128_000, override: 64_000 })
    expect(configured.windowOf('openai/o3')).toEqual({ registry: 200_000 })
  })

  it('ONE-01 takes null for unknown', () => {
    expect(configured.windowOf('openai/o1')).toEqual({ registry: 200_000, override: null })
    expect(configured.describe('openai/o1').contextWindow).toBeNull()
  })

  it('lets `models` win over `providers`, key by key', () => {
    expect(configured.describe('openai/gpt-4o')).toMatchObject({ contextWindow: 64_000, maxOutput: 1_000 })
  })

  it("drops the table's input limit with the window it belonged to", () => {
    expect(configured.windowOf('openai/gpt-5')).toEqual({ registry: 272_000, override: 300_000 })
    expect(configured.describe('openai/gpt-5').maxInput).toBeNull()
  })

  it('describes models that only the configuration knows', () => {
    expect(configured.describe('local/my-model')).toEqual({
      id: 'local/my-model',
      provider: 'local',
      contextWindow: 32_768,
      maxInput: null,
      maxOutput: 4_096,
      price: { input: 1, output: 2, cacheRead: null, cacheWrite: null, tiers: [] },
      cache: null,
      available: false,
      asOf: null,
    })
    expect(configured.windowOf('local/vendor/with-slash')).toEqual({ registry: null, override: 9_000 })
  })

  it('lists the table and the configuration, each model once', () => {
    const ids = configured.list().map(({ id }) => id)
    expect(ids).toContain('local/my-model')
    expect(ids).toContain('local/vendor/with-slash')
    expect(ids).toContain('anthropic/claude-opus-5-5')
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBe(registry.list().length + 2)
  })

  it('sets the window of the offline model', () => {
    const small = createRegistry({ providers: { offline: { models: { extractive: { contextWindow: 4_096 } } } } })
    expect(small.windowOf('offline/extractive')).toEqual({ registry: 32_768, override: 4_096 })
    expect(small.describe('offline/extractive').price).toMatchObject({ input: 0, output: 0 })
  })

  it('answers any id', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (provider, model) => {
        const id = `${provider}/${model}`
        expect(configured.describe(id).id).toBe(id)
        expect(configured.windowOf(id)).toHaveProperty('registry')
      }),
    )
  })
})
