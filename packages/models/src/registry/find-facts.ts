import { anthropic } from './anthropic.ts'
import { google } from './google.ts'
import type { ModelFacts, VendorTable } from './model-facts.ts'
import { offline } from './offline.ts'
import { openai } from './openai.ts'
import { deepseek, groq, xai } from './others.ts'

const TABLES: Readonly<Record<string, VendorTable>> = { anthropic, openai, google, xai, deepseek, groq, offline }

/** `-20251001`, `-2024-08-06`, `@20251001`, `-latest`: names of an edition. Nothing else is taken off a name. */
const EDITION = /(?:-\d{8}|-\d{4}-\d{2}-\d{2}|@\d{8}|[-@]latest)$/

export interface FoundFacts extends ModelFacts {
  readonly asOf: string
}

/** `provider/model`; the model may hold further slashes. */
export function parseModelId(id: string): { readonly provider: string; readonly model: string } {
  const slash = id.indexOf('/')
  return slash < 0 ? { provider: '', model: id } : { provider: id.slice(0, slash), model: id.slice(slash + 1) }
}

/** The same model without its edition. */
export function withoutEdition(id: string): string {
  return id.replace(EDITION, '')
}

export function listTableIds(): readonly string[] {
  return Object.entries(TABLES).flatMap(([provider, { models }]) =>
    Object.keys(models).map((model) => `${provider}/${model}`),
  )
}

/**
 * The row for an id, by its exact name or without its edition: a guess beyond that once priced one model as another.
 * `vendor` says whose models a provider without a table of its own serves. Such a provider, and a proxy that names the
 * vendor in its ids (`openrouter/anthropic/claude-opus-4.5`), has the vendor's limits, but prices of its own.
 */
export function findFacts(id: string, vendor?: string): FoundFacts | null {
  const { provider, model } = parseModelId(id)
  const own = findRow(provider, model)
  if (own !== null || Object.hasOwn(TABLES, provider)) return own
  const served = vendor === undefined ? null : findRow(vendor, model)
  if (served !== null) return { ...served, price: null }
  const proxied = parseModelId(model)
  // Proxies write versions of Claude with a dot.
  const name = proxied.provider === 'anthropic' ? proxied.model.replaceAll('.', '-') : proxied.model
  const row = findRow(proxied.provider, name)
  return row === null ? null : { ...row, price: null, cache: null }
}

function findRow(provider: string, model: string): FoundFacts | null {
  const table = Object.hasOwn(TABLES, provider) ? TABLES[provider] : undefined
  if (table === undefined) return null
  for (const name of [model, withoutEdition(model)]) {
    const facts = Object.hasOwn(table.models, name) ? table.models[name] : undefined
    if (facts !== undefined) return { ...facts, asOf: table.asOf }
  }
  return null
}
