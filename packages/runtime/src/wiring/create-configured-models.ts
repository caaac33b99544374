import { createModels } from '@longhaul/models'
import type { ModelsOptions } from '@longhaul/models'
import type { Models } from '@longhaul/models/port'
import type { Config } from '../config/config.ts'

/** What a program adds to the configured models: its own, or another way to the network. */
export type OwnModels = Pick<ModelsOptions, 'extra' | 'extraEmbeddings' | 'fetch' | 'offline' | 'timeouts'>

export function createConfiguredModels(config: Config, own: OwnModels = {}): Models {
  const { providers, models, overflowPatterns, providerKeys, agents } = config
  const { model } = agents.defaults
  return createModels({
    ...own,
    providers,
    models,
    overflowPatterns,
    environment: providerKeys,
    ...(model === null ? {} : { defaultModel: model }),
  })
}
