import type { WindowSources } from '@longhaul/engine/advanced'
import type { ModelInfo, PriceTier, TokenPrices } from '../port/model-info.ts'
import { findFacts, listTableIds, parseModelId, withoutEdition } from './find-facts.ts'
import type { ModelFacts } from './model-facts.ts'

/** What the user says about a model. Null is "unknown"; what is left out stays as the table has it. */
export interface ModelOverride {
  readonly contextWindow?: number | null | undefined
  readonly maxInput?: number | null | undefined
  readonly maxOutput?: number | null | undefined
  readonly price?: PriceOverride | null | undefined
}

/** US dollars for a million tokens. */
export interface PriceOverride extends PricesOverride {
  readonly tiers?: readonly (PricesOverride & Pick<PriceTier, 'aboveInputTokens'>)[] | undefined
}

interface PricesOverride {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number | null | undefined
  readonly cacheWrite?: number | null | undefined
}

type ModelOverrides = Readonly<Record<string, ModelOverride>>

export interface RegistryOptions {
  /** By `provider/model`. These have the last word. */
  readonly overrides?: ModelOverrides | undefined
  /** By provider. A `type` that is a vendor's name says whose models a provider of another name serves. */
  readonly providers?: Readonly<Record<string, RegistryProvider>> | undefined
  /** Whether a provider can be called now. Default: none can. */
  readonly isAvailable?: ((provider: string) => boolean) | undefined
}

interface RegistryProvider {
  readonly type?: string | undefined
  readonly models?: ModelOverrides | undefined
}

export interface Registry {
  /** The table, then what only the configuration names. */
  list(): readonly ModelInfo[]
  /** Any id gets an answer: an unknown model is one whose limits are null. */
  describe(id: string): ModelInfo
  /** The table's word and the user's, kept apart for the engine's `resolveWindow`. */
  windowOf(id: string): WindowSources
}

const UNKNOWN: ModelFacts = { contextWindow: null, maxInput: null, maxOutput: null, price: null, cache: null }

export function createRegistry({ overrides = {}, providers = {}, isAvailable }: RegistryOptions = {}): Registry {
  function look(id: string) {
    const { provider, model } = parseModelId(id)
    const configured = Object.hasOwn(providers, provider) ? providers[provider] : undefined
    const row = findFacts(id, configured?.type)
    const stated = [findOverride(configured?.models ?? {}, model), findOverride(overrides, id)].filter(
      (override) => override !== null,
    )
    return { provider, row, stated, facts: stated.reduce(applyOverride, row ?? UNKNOWN) }
  }

  function describe(id: string): ModelInfo {
    const { provider, row, facts } = look(id)
    const { contextWindow, maxInput, maxOutput, price, cache } = facts
    const available = isAvailable?.(provider) ?? false
    return { id, provider, contextWindow, maxInput, maxOutput, price, cache, available, asOf: row?.asOf ?? null }
  }

  return {
    list() {
      const configured = Object.entries(providers).flatMap(([provider, { models = {} }]) =>
        Object.keys(models).map((model) => `${provider}/${model}`),
      )
      return [...new Set([...listTableIds(), ...configured, ...Object.keys(overrides)])].map(describe)
    },
    describe,
    windowOf(id) {
      const { row, stated, facts } = look(id)
      const registry = windowIn(row ?? UNKNOWN)
      const isStated = stated.some(
        ({ contextWindow, maxInput }) => contextWindow !== undefined || maxInput !== undefined,
      )
      return isStated ? { registry, override: windowIn(facts) } : { registry }
    },
  }
}

/** The engine keeps room for the answer itself; where input has a limit of its own, that is the window. */
function windowIn({ maxInput, contextWindow }: ModelFacts): number | null {
  return maxInput ?? contextWindow
}

function findOverride(overrides: ModelOverrides, name: string): ModelOverride | null {
  const key = [name, withoutEdition(name)].find((candidate) => Object.hasOwn(overrides, candidate))
  return key === undefined ? null : (overrides[key] ?? null)
}

/** A window stated without a `maxInput` is the whole word on the window: the table's own input limit goes with it. */
function applyOverride(facts: ModelFacts, override: ModelOverride): ModelFacts {
  const { contextWindow, maxInput, maxOutput, price } = override
  return {
    ...facts,
    contextWindow: contextWindow === undefined ? facts.contextWindow : contextWindow,
    maxInput: maxInput !== undefined ? maxInput : contextWindow === undefined ? facts.maxInput : null,
    maxOutput: maxOutput === undefined ? facts.maxOutput : maxOutput,
    price: price === undefined ? facts.price : readPrice(price),
  }
}

function readPrice(price: PriceOverride | null): ModelFacts['price'] {
  if (price === null) return null
  const tiers = (price.tiers ?? []).map((tier) => ({
    ...readPrices(tier),
    aboveInputTokens: tier.aboveInputTokens,
  }))
  return { ...readPrices(price), tiers }
}

function readPrices({ input, output, cacheRead = null, cacheWrite = null }: PricesOverride): TokenPrices {
  return { input, output, cacheRead, cacheWrite }
}
