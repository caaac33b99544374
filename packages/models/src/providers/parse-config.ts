import { findNearestName } from '@longhaul/engine/advanced'
import { z } from 'zod'
import { ModelsError } from '../models-error.ts'
import type { ConfigIssue } from '../models-error.ts'
import { RECIPES } from './recipes.ts'
import type { ProviderType } from './recipes.ts'

const tokens = z.int().positive().nullable()
const usdPerMillion = z.number().nonnegative()

const PRICES = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  cacheRead: usdPerMillion.nullable().default(null),
  cacheWrite: usdPerMillion.nullable().default(null),
})

const PRICE = PRICES.extend({
  tiers: z.array(PRICES.extend({ aboveInputTokens: z.int().nonnegative() })).default([]),
})

/** What is said about a model. Null is "unknown". */
const MODEL = z.strictObject({
  contextWindow: tokens.optional(),
  maxInput: tokens.optional(),
  maxOutput: tokens.optional(),
  price: PRICE.nullable().optional(),
})

const MODELS = z.record(z.string(), MODEL)

const PROVIDER = z.strictObject({
  /** Default: the provider's name, where that is a type. */
  type: z.enum(Object.keys(RECIPES) as [ProviderType, ...ProviderType[]]).optional(),
  /** Default: the vendor's environment variable. */
  apiKey: z.string().optional(),
  /** With the version: `https://example.org/v1`. Default: the vendor's own. */
  baseURL: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Of OpenAI. Default: `responses`. */
  api: z.enum(['responses', 'chat']).optional(),
  models: MODELS.optional(),
})

const CONFIG = z.strictObject({ providers: z.record(z.string(), PROVIDER), models: MODELS })

export type ProviderConfig = z.input<typeof PROVIDER>
export type ModelConfig = z.input<typeof MODEL>

/** What is configured, as the user writes it. */
export interface ConfigInput {
  readonly providers: Readonly<Record<string, ProviderConfig>>
  /** By `provider/model`. */
  readonly models: Readonly<Record<string, ModelConfig>>
}

export type ParsedConfig = z.output<typeof CONFIG>
export type ParsedProvider = ParsedConfig['providers'][string] & { readonly type: ProviderType }

/** Throws one `ModelsError` that lists everything that is wrong. */
export function parseConfig(config: ConfigInput): ParsedConfig & { providers: Record<string, ParsedProvider> } {
  const parsed = CONFIG.safeParse(config)
  if (!parsed.success) throw refuse(parsed.error.issues.flatMap(describeIssue))
  const providers: Record<string, ParsedProvider> = {}
  const issues: ConfigIssue[] = []
  for (const [name, provider] of Object.entries(parsed.data.providers)) {
    const type = provider.type ?? (isProviderType(name) ? name : undefined)
    issues.push(...findProblems(name, provider, type))
    if (type !== undefined) providers[name] = { ...provider, type }
  }
  if (issues.length > 0) throw refuse(issues)
  return { ...parsed.data, providers }
}

function isProviderType(name: string): name is ProviderType {
  return Object.hasOwn(RECIPES, name)
}

/** What no schema can say: names, and what one key asks of another. */
function findProblems(
  name: string,
  { baseURL }: ParsedConfig['providers'][string],
  type: ProviderType | undefined,
): readonly ConfigIssue[] {
  const issues: ConfigIssue[] = []
  const add = (key: string, message: string): void => void issues.push(createIssue(['providers', name, key], message))
  if (!/^[a-z][\w-]*$/i.test(name))
    issues.push(createIssue(['providers', name], 'use letters, digits, - and _ for the name of a provider'))
  if (name === 'offline') issues.push(createIssue(['providers', name], 'this name belongs to the built-in model'))
  if (type === undefined)
    add('type', `say which kind of provider this is: ${Object.keys(RECIPES).join(', ')}${nearest(name)}`)
  else if (baseURL === undefined && RECIPES[type].keyVariable === null)
    add('baseURL', 'say where it answers, for example "http://127.0.0.1:8080/v1"')
  if (baseURL !== undefined) {
    const url = URL.parse(baseURL)
    if (url === null || !/^https?:$/.test(url.protocol)) add('baseURL', 'expected an http or https address')
    else if (url.username !== '' || url.password !== '')
      add('baseURL', 'must not hold a name or password; use apiKey or headers')
  }
  return issues
}

function nearest(name: string): string {
  const found = findNearestName(name, Object.keys(RECIPES))
  return found === undefined ? '' : `; or did you mean the provider ${found}?`
}

function describeIssue(issue: z.core.$ZodIssue): readonly ConfigIssue[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => createIssue([...path, key], `unknown key${suggest(key, path)}`))
  return [createIssue(path, issue.message.toLowerCase().replace(/^invalid input: /, ''))]
}

/** Which keys were possible is told by how deep it is: `providers.<name>`, or a model or its price. */
function suggest(key: string, path: readonly string[]): string {
  const isProvider = path.length === 2 && path[0] === 'providers'
  const isPrice = path.includes('price')
  const known = Object.keys((isProvider ? PROVIDER : isPrice ? PRICE : MODEL).shape)
  const found = findNearestName(key, known)
  return found === undefined ? `; known are ${known.join(', ')}` : `; did you mean ${found}?`
}

function createIssue(path: readonly string[], message: string): ConfigIssue {
  return { path, message: `${path.join('.')}: ${message}` }
}

function refuse(issues: readonly ConfigIssue[]): ModelsError {
  return new ModelsError('invalid-configuration', issues.map(({ message }) => message).join('\n'), { issues })
}
