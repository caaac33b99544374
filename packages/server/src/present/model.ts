import type { Model } from '@longhaul/protocol'
import type { ModelInfo } from '@longhaul/runtime'

export function presentModel({ id, contextWindow, maxOutput, price, available }: ModelInfo): Model {
  if (price === null) return { id, contextWindow, maxOutput, available, price: null }
  const { input, output, cacheRead, cacheWrite } = price
  return { id, contextWindow, maxOutput, available, price: { input, output, cacheRead, cacheWrite } }
}
