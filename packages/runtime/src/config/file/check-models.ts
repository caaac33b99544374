import { ModelsError, createModels } from '@longhaul/models'
import type { ModelConfig, ModelsOptions, ProviderConfig, UserPattern } from '@longhaul/models'
import type { KeyProblem } from './check-shape.ts'
import { OVERFLOW_PATTERNS } from './file-schema.ts'

/** What the file says about models, as it is handed to the package that reads it. */
export interface ModelSettings {
  readonly providers: Readonly<Record<string, ProviderConfig>>
  readonly models: Readonly<Record<string, ModelConfig>>
  readonly overflowPatterns: readonly UserPattern[]
}

export function readModelSettings(content: Readonly<Record<string, unknown>>): ModelSettings {
  const { providers = {}, models = {}, overflowPatterns = [] } = content
  return { providers, models, overflowPatterns } as ModelSettings
}

/** Who uses these settings says what is wrong with them; nothing is called or connected by it. */
export function checkModels({ providers, models, overflowPatterns }: ModelSettings): readonly KeyProblem[] {
  const hasPatterns = OVERFLOW_PATTERNS.safeParse(overflowPatterns).success
  return [...tryModels({ providers, models }), ...(hasPatterns ? tryModels({ overflowPatterns }) : [])]
}

function tryModels(options: ModelsOptions): readonly KeyProblem[] {
  try {
    createModels(options)
    return []
  } catch (error) {
    if (!(error instanceof ModelsError)) throw error
    if (error.issues.length === 0) return [{ path: ['overflowPatterns'], message: error.message }]
    return error.issues.map(({ path, message }) => ({ path, message: message.replace(`${path.join('.')}: `, '') }))
  }
}
