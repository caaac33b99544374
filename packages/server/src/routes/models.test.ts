import { listOf, modelSchema, presetSchema } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

describe('GET /api/models', () => {
  it('ONE-01 lists every model with its window; unknown is null, and says what can be used', async () => {
    const app = await startApp({ source: '{ models: { "openai/gpt-4o": { contextWindow: null } } }' })
    const { items } = listOf(modelSchema).parse(await (await app.request('GET', '/api/models')).json())
    const find = (id: string) => items.find((model) => model.id === id)
    expect(find('offline/extractive')).toMatchObject({ contextWindow: 32_768, available: true })
    expect(find('openai/gpt-4o')).toMatchObject({ contextWindow: null, available: false })
    expect(find('openai/gpt-4o')?.price?.input).toBeGreaterThan(0)
  })

  it('ONE-23 lists the dated ids of Claude, with their windows', async () => {
    const app = await startApp()
    const { items } = listOf(modelSchema).parse(await (await app.request('GET', '/api/models')).json())
    const dated = items.filter(({ id }) => /^anthropic\/claude-(?:opus|sonnet|haiku)-4-5-\d{8}$/.test(id))
    expect(dated.map(({ id, contextWindow }) => [id, contextWindow])).toStrictEqual([
      ['anthropic/claude-opus-4-5-20251101', 200_000],
      ['anthropic/claude-sonnet-4-5-20250929', 200_000],
      ['anthropic/claude-haiku-4-5-20251001', 200_000],
    ])
  })
})

describe('GET /api/presets', () => {
  it('lists the five presets, each a whole policy', async () => {
    const app = await startApp()
    const { items } = listOf(presetSchema).parse(await (await app.request('GET', '/api/presets')).json())
    expect(items.map(({ name }) => name)).toEqual(['oneclaw', 'openclaw', 'micro', 'spec008', 'longhaul'])
    expect(items[0]?.policy).toMatchObject({ compaction: { triggerRatio: 0.85 } })
  })
})
