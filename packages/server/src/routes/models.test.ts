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
})

describe('GET /api/presets', () => {
  it('lists the five presets, each a whole policy', async () => {
    const app = await startApp()
    const { items } = listOf(presetSchema).parse(await (await app.request('GET', '/api/presets')).json())
    expect(items.map(({ name }) => name)).toEqual(['oneclaw', 'openclaw', 'micro', 'spec008', 'longhaul'])
    expect(items[0]?.policy).toMatchObject({ compaction: { triggerRatio: 0.85 } })
  })
})
