// Windows and prices alone: no vendor's package is loaded for them.
export { createRegistry } from './registry/create-registry.ts'
export type { ModelOverride, PriceOverride, Registry, RegistryOptions } from './registry/create-registry.ts'
export { priceUsage } from './registry/price-usage.ts'
export { loadCountTokens } from './offline/count-tokens.ts'
export type { CountTokens } from './offline/count-tokens.ts'
