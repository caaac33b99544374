import { PRESETS } from '@longhaul/engine/advanced'
import { describe, expect, it } from 'vitest'
import { loadFile } from '../config/testing/load-file.ts'
import type { ConfigRow } from './config-row.ts'
import { explainConfig } from './explain-config.ts'

async function explain(source: string, environment = {}): Promise<ReadonlyMap<string, ConfigRow>> {
  const rows = explainConfig(await loadFile(source, environment))
  const byKey = new Map(rows.map((row) => [row.key, row]))
  expect(byKey.size).toBe(rows.length)
  return byKey
}

const FILE = 'file /etc/longhaul/config.json5'

describe('explainConfig', () => {
  it('has a row for every key of the policy, from the preset where nobody says otherwise', async () => {
    const rows = await explain('{ preset: "openclaw" }')
    expect(rows.get('agents.defaults.compaction.reserveTokens')).toStrictEqual({
      key: 'agents.defaults.compaction.reserveTokens',
      value: 16384,
      source: 'preset openclaw',
    })
    const groups = Object.keys(PRESETS.openclaw).map((group) => `agents.defaults.${group}`)
    const keys = [...rows.keys()]
    expect(groups.filter((group) => !keys.some((key) => key.startsWith(group)))).toStrictEqual([])
    expect(rows.get('preset')).toStrictEqual({ key: 'preset', value: 'openclaw', source: `${FILE}:1` })
  })

  it('says of each value where it came from', async () => {
    const rows = await explain(
      `{
  limits: { sessionUsd: 5 },
  agents: { defaults: { contextPruning: { ttl: "10m" } }, list: { a: { model: "x/y", preset: "micro", toolResults: { maxChars: 9 } } } },
}`,
      { LONGHAUL_TOKEN: 'a-token-of-some-length', OPENAI_API_KEY: 'sk-1234567890abcdef' },
    )
    const sources = Object.fromEntries([...rows].map(([key, { source }]) => [key, source]))
    expect(sources).toMatchObject({
      data: 'environment LONGHAUL_DATA',
      config: 'default',
      store: 'default',
      token: 'environment LONGHAUL_TOKEN',
      'providers.openai.apiKey': 'environment OPENAI_API_KEY',
      'agents.defaults.model': 'environment OPENAI_API_KEY',
      'limits.sessionUsd': `${FILE}:2`,
      'limits.maintenanceUsdPerDay': 'default',
      preset: 'default',
      'agents.defaults.contextPruning.ttl': `${FILE}:3`,
      'agents.defaults.contextPruning.mode': 'preset longhaul',
      'agents.list.a.model': `${FILE}:3`,
      'agents.list.a.preset': `${FILE}:3`,
      'agents.list.a.toolResults.maxChars': `${FILE}:3`,
    })
    expect(rows.get('agents.defaults.contextPruning.ttl')?.value).toBe(600_000)
    expect(rows.get('agents.defaults.model')?.value).toMatch(/^openai\//)
  })

  it('18.8 says which values no session can go beyond', async () => {
    const rows = await explain(`{
      workspaceAccess: "ro", bootstrapMaxChars: 5, heartbeat: { every: "off" }, tools: { permissions: { http_get: "deny" } },
      agents: { list: { a: { workspaceAccess: "rw", compaction: { retries: 0 } } } } }`)
    const ceilings = [...rows.values()].filter(({ isCeiling }) => isCeiling).map(({ key }) => key)
    expect(ceilings.toSorted()).toStrictEqual([
      'agents.defaults.heartbeat.every',
      'agents.defaults.workspaceAccess',
      'agents.list.a.compaction.retries',
      'agents.list.a.workspaceAccess',
      'limits.maintenanceUsdPerDay',
      'limits.retentionDays',
      'limits.sessionUsd',
      'tools.allowPrivateAddresses',
      'tools.command.sandbox',
      'tools.permissions.http_get',
    ])
    expect((await explain('{}')).get('agents.defaults.workspaceAccess')).not.toHaveProperty('isCeiling')
  })

  it('says which embedding model memory is searched with', async () => {
    const row = async (source: string) => (await explain(source)).get('memory.embeddingModel')
    expect(await row('{}')).toMatchObject({ value: null, source: 'default' })
    expect(await row('{\n memory: { embeddingModel: "openai/text-embedding-3-small" } }')).toMatchObject({
      value: 'openai/text-embedding-3-small',
      source: `${FILE}:2`,
    })
  })

  it('says which name a value was written under', async () => {
    const rows = await explain('{\n  CompactionThresholdTokens: 80000 }')
    expect(rows.get('agents.defaults.compaction.triggerTokens')).toStrictEqual({
      key: 'agents.defaults.compaction.triggerTokens',
      value: 80000,
      source: `${FILE}:2`,
      note: 'written as CompactionThresholdTokens',
    })
  })

  it('says why a key of the preset is off', async () => {
    const rows = await explain('{\n compaction: { triggerTokens: 50000 } }')
    expect(rows.get('agents.defaults.compaction.triggerRatio')).toMatchObject({
      value: null,
      source: `${FILE}:2`,
      note: 'off, because compaction.triggerTokens is set',
    })
  })

  it('fills a group that the preset has off', async () => {
    const rows = await explain('{ preset: "openclaw", compaction: { preview: { toolInputChars: 50 } } }')
    expect(rows.get('agents.defaults.compaction.preview.toolInputChars')).toMatchObject({ source: `${FILE}:1` })
    expect(rows.get('agents.defaults.compaction.preview.resultMaxChars')).toMatchObject({
      source: 'default',
      value: 700,
    })
  })

  it('says how the model was chosen', async () => {
    const model = async (source: string, environment = {}) =>
      (await explain(source, environment)).get('agents.defaults.model')
    expect(await model('{}')).toMatchObject({ value: 'offline/extractive', source: 'default' })
    expect(await model('{ model: "local/m" }')).toMatchObject({ value: 'local/m', note: 'written as model' })
    const fromKey = await model('{ providers: {\n google: { apiKey: "k-123456789012" } } }')
    expect(fromKey).toMatchObject({ source: `${FILE}:2`, note: 'because google has a key' })
    const both = { OPENAI_API_KEY: 'o-123456789012', ANTHROPIC_API_KEY: 'a-123456789012' }
    expect(await model('{}', both)).toMatchObject({ source: 'environment ANTHROPIC_API_KEY' })
  })

  it('never shows a secret', async () => {
    const secrets = {
      file: 'sk-ant-from-the-file-0001',
      header: 'Bearer header-secret-0002',
      environment: 'AIzaFromTheEnvironment0003',
      mcpEnvironment: 'mcp-environment-secret-0004',
      mcpHeader: 'mcp-header-secret-0005',
      argument: 'argument-secret-0006',
      password: 'pass/word-0007',
      token: 'server-token-0008',
      short: 'tiny0009',
    }
    const source = `{
  store: "postgres://ada:${secrets.password}@db.example.org/longhaul",
  postgres: { listenUrl: "postgres://ada:${secrets.password}@direct.example.org/longhaul" },
  providers: {
    anthropic: { apiKey: "${secrets.file}", headers: { "x-api-key": "${secrets.header}" } },
    openai: { apiKey: "${secrets.short}" },
  },
  mcp: {
    a: { command: "x", args: ["--token", "${secrets.argument}"], env: { SOME_TOKEN: "${secrets.mcpEnvironment}" } },
    b: { url: "https://u:${secrets.argument}@mcp.example.org/", headers: { authorization: "${secrets.mcpHeader}" } },
  },
}`
    const environment = { LONGHAUL_TOKEN: secrets.token, GOOGLE_GENERATIVE_AI_API_KEY: secrets.environment }
    const rows = await explain(source, environment)
    const text = JSON.stringify([...rows.values()])
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret.slice(0, -4))
    expect(rows.get('providers.anthropic.apiKey')?.value).toBe('…0001')
    expect(rows.get('providers.google.apiKey')?.value).toBe('…0003')
    expect(rows.get('providers.openai.apiKey')?.value).toBe('…')
    expect(rows.get('token')?.value).toBe('…0008')
    expect(rows.get('store')?.value).toBe('postgres://ada:…@db.example.org/longhaul')
    expect(rows.get('mcp.a.args')?.value).toStrictEqual(['--token', '…0006'])
  })
})
