import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parsePolicy, PRESETS } from '@longhaul/engine'
import { expect, it } from 'vitest'
import type { OpenClawApi } from './openclaw-api.ts'
import plugin from './index.ts'
import { readConfig } from './read-config.ts'

const HOME = join(import.meta.dirname, '..')
const read = (name: string): string => readFileSync(join(HOME, name), 'utf8')

interface Configuration {
  readonly plugins: {
    readonly slots: { readonly contextEngine: string }
    readonly entries: Readonly<Record<string, { readonly config: { readonly store: string; readonly policy: object } }>>
  }
}

interface PluginFile {
  readonly id: string
  readonly contracts: { readonly tools: readonly string[] }
  readonly configSchema: { readonly properties: object }
}

it('the configuration in the README is one that the plug-in takes', () => {
  const [, block = ''] = /```json\n([^]*?)```/.exec(read('README.md')) ?? []
  const { plugins } = JSON.parse(block) as Configuration
  const config = plugins.entries[plugin.id]?.config
  const { id, configSchema } = JSON.parse(read('openclaw.plugin.json')) as PluginFile
  expect([plugins.slots.contextEngine, id]).toEqual([plugin.id, plugin.id])
  expect(Object.keys(configSchema.properties)).toEqual(expect.arrayContaining(Object.keys(config ?? {})))
  const api = {
    pluginConfig: config,
    runtime: { state: { resolveStateDir: () => '/state' } },
  } as unknown as OpenClawApi
  expect(readConfig(api)).toEqual(config)
  expect(readConfig({ ...api, pluginConfig: undefined })).toEqual({ store: join('/state', 'longhaul.db') })
  expect(parsePolicy(PRESETS.longhaul, config?.policy ?? {}).compaction.triggerRatio).toBe(0.7)
})

it('OpenClaw is told of every tool before it loads the plug-in', () => {
  const tools: string[] = []
  const engines: string[] = []
  const api = {
    runtime: { state: { resolveStateDir: () => '/state' } },
    registerContextEngine: (id: string) => engines.push(id),
    registerTool: (_factory: unknown, { name }: { readonly name: string }) => tools.push(name),
  }
  plugin.register(api as unknown as OpenClawApi)
  expect(tools).toEqual((JSON.parse(read('openclaw.plugin.json')) as PluginFile).contracts.tools)
  expect(engines).toEqual(['longhaul'])
})
