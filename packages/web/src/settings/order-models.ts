import type { Model } from '@longhaul/protocol'
import { formatShort } from '../ui/text/format.ts'

export interface ModelGroups {
  readonly available: readonly Model[]
  readonly unavailable: readonly Model[]
}

export function orderModels(models: readonly Model[]): ModelGroups {
  const byName = models.toSorted((first, second) => first.id.localeCompare(second.id))
  return {
    available: byName.filter(({ available }) => available),
    unavailable: byName.filter(({ available }) => !available),
  }
}

/** Window and price, for choosing by. */
export function describeModel({ contextWindow, price }: Pick<Model, 'contextWindow' | 'price'>): string {
  const window = contextWindow === null ? 'window unknown' : `window of ${formatShort(contextWindow)} tokens`
  return `${window}, ${describePrice(price)}`
}

function describePrice(price: Model['price']): string {
  if (price === undefined || price === null) return 'price unknown'
  if (price.input === 0 && price.output === 0) return 'free'
  return `$${price.input} in and $${price.output} out per million tokens`
}

const KEYS: Readonly<Record<string, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
}

/** What it takes to use a provider that is not set up. */
export function explainUnavailable(modelId: string): string {
  const provider = modelId.split('/', 1)[0] ?? ''
  const key = KEYS[provider]
  return key === undefined
    ? `The provider ${provider} is not configured. Add it under “providers” in the configuration.`
    : `Needs a key: set ${key} and start Longhaul again.`
}
