import { PRESETS } from '@longhaul/engine/advanced'
import type { PresetName } from '@longhaul/engine/advanced'
import { z } from 'zod'
import { STORE_ADDRESS, STORE_ADDRESS_WORDS, isPostgres } from '../store-address.ts'

const DOLLARS = 'expected US dollars, 0 or more, or null for no limit'
const DAYS = 'expected a number of days above 0, or null to keep everything'

const text = z.string('expected a text').trim().min(1, 'expected a text that is not empty')
const texts = z.array(text, 'expected a list of texts')
const namedTexts = z.record(z.string(), z.string('expected a text'), 'expected an object of texts')
const flag = z.boolean('expected true or false')
const count = z.int('expected a whole number').positive('expected a whole number, 1 or more')
const presetName = z.enum(Object.keys(PRESETS) as [PresetName, ...PresetName[]])
const modelId = text.regex(/^[^/\s]+\/\S/, 'expected a model id: provider/model')

function group<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, 'expected an object')
}

function groups<Value extends z.core.$ZodType>(value: Value): z.ZodRecord<z.ZodString, Value> {
  return z.record(z.string(), value, 'expected an object')
}

/** Of either kind; which keys belong together is checked behind the schema, where it can be said more plainly. */
const MCP_SERVER = group({
  command: text.optional(),
  args: z.array(z.string('expected a text'), 'expected a list of texts').optional(),
  env: namedTexts.optional(),
  url: z.url({ protocol: /^https?$/, error: 'expected an http or https address' }).optional(),
  headers: namedTexts.optional(),
})

/** Which kinds there are is said by the package that uses them. */
export const OVERFLOW_PATTERNS = z.array(group({ pattern: text, kind: text }), 'expected a list')

/** The keys of a policy are read by the engine. */
const AGENT = z.looseObject(
  { model: modelId.optional(), preset: presetName.optional(), systemPrompt: text.nullable().optional() },
  'expected an object',
)

/** Everything that may stand in the file, under its canonical name. */
export const FILE = group({
  store: text.regex(STORE_ADDRESS, STORE_ADDRESS_WORDS).optional(),
  postgres: group({
    schema: text.optional(),
    listenUrl: text.refine(isPostgres, 'expected postgres://…').optional(),
    poolSize: count.optional(),
  }).optional(),
  workspace: text.optional(),
  memory: group({ folder: text.optional(), embeddingModel: modelId.optional() }).optional(),
  // Read by the package that uses them, which knows what each provider needs.
  providers: z.unknown().optional(),
  models: z.unknown().optional(),
  overflowPatterns: OVERFLOW_PATTERNS.optional(),
  tools: group({
    permissions: groups(z.enum(['allow', 'ask', 'deny'])).optional(),
    environment: texts.optional(),
    allowPrivateAddresses: flag.optional(),
    command: group({
      sandbox: z.enum(['auto', 'bubblewrap', 'docker', 'none']).optional(),
      image: text.optional(),
      network: flag.optional(),
      readable: texts.optional(),
    }).optional(),
  }).optional(),
  mcp: groups(MCP_SERVER).optional(),
  server: group({ allowedHosts: texts.optional(), allowedOrigins: texts.optional() }).optional(),
  // What an upstream is depends on its name: that is checked behind the schema.
  gateway: group({ upstreams: groups(z.unknown()).optional(), preset: presetName.optional() }).optional(),
  audit: group({ enabled: z.boolean('expected true, false or null').nullable().optional() }).optional(),
  limits: group({
    maintenanceUsdPerDay: z.number(DOLLARS).nonnegative(DOLLARS).nullable().optional(),
    sessionUsd: z.number(DOLLARS).nonnegative(DOLLARS).nullable().optional(),
    retentionDays: z.number(DAYS).positive(DAYS).nullable().optional(),
  }).optional(),
  preset: presetName.optional(),
  agents: group({ defaults: AGENT.optional(), list: groups(AGENT).optional() }).optional(),
})

export type FileContent = z.output<typeof FILE>
