import { join } from 'node:path'
import type { HostSetup } from '../../../../test/hosts/host-under-test.ts'

export interface OpenClawSetup {
  /** The folder of the plug-in. Default: this package. */
  readonly plugin?: string
  /** More of `plugins.entries.longhaul.config`. */
  readonly pluginConfig?: object
}

interface GatewayAddress {
  readonly port: number
  readonly token: string
}

const PACKAGE = join(import.meta.dirname, '../..')

/**
 * OpenClaw's configuration for a small window: no skills, no start-up files and no tools that the conversation does not
 * need. With Longhaul, the same with its plug-in; nothing else differs.
 */
export function createConfig(
  { folder, workspace, baseURL, model, windowTokens, maxOutputTokens, store }: HostSetup,
  { port, token, plugin = PACKAGE, pluginConfig }: GatewayAddress & OpenClawSetup,
): object {
  return {
    gateway: {
      mode: 'local',
      port,
      bind: 'loopback',
      auth: { mode: 'token', token },
      controlUi: { enabled: false },
      http: { endpoints: { chatCompletions: { enabled: true } } },
    },
    discovery: { mdns: { mode: 'off' } },
    update: { checkOnStart: false },
    logging: { file: join(folder, 'openclaw.log') },
    models: {
      mode: 'replace',
      catalogRefresh: { enabled: false },
      providers: {
        fake: {
          baseUrl: baseURL,
          apiKey: 'none',
          api: 'openai-completions',
          models: [
            {
              id: model,
              name: model,
              reasoning: false,
              input: ['text'],
              cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              contextWindow: windowTokens,
              maxTokens: maxOutputTokens,
            },
          ],
        },
      },
    },
    agents: {
      defaults: {
        model: { primary: `fake/${model}` },
        workspace,
        skipBootstrap: true,
        skills: [],
        heartbeat: { every: '0m' },
      },
    },
    tools: { allow: store === null ? ['read'] : ['read', 'recall'] },
    plugins: store === null ? NO_PLUGINS : createPlugins(plugin, { store, ...pluginConfig }),
  }
}

const NO_PLUGINS = { allow: [], slots: { memory: 'none' } }

function createPlugins(folder: string, config: object): object {
  return {
    allow: ['longhaul'],
    load: { paths: [folder] },
    slots: { contextEngine: 'longhaul', memory: 'none' },
    entries: { longhaul: { enabled: true, config } },
  }
}
