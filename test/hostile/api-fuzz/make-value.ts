import type { Random } from './random.ts'

/** As much of JSON Schema as the server's document uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly maxLength?: number
  readonly pattern?: string
}

export interface Vocabulary {
  readonly components: Readonly<Record<string, Schema>>
  /** Words that mean something to the server, by the name of the field: ids, models, presets, command lines. */
  readonly known: Readonly<Record<string, () => readonly unknown[]>>
}

export const AWKWARD_TEXTS = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '\u0000',
  'a\u0000b',
  '\uD83D half',
  '\u202E\u200B\u2066',
  '🧹'.repeat(50),
  'é'.normalize('NFD'),
  '__proto__',
  'constructor',
  'null',
  "'; drop table sessions; --",
  '%00%2e%2e%2f',
  '"\\',
  '\r\nset-cookie: a=b',
  '<script>alert(1)</script>',
  '-1',
  '1e309',
  '9'.repeat(40),
  'x'.repeat(300),
  'word '.repeat(2_000),
] as const

const AWKWARD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  -0,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  [],
  {},
  [[[[[[]]]]]],
  { __proto__: null, constructor: { prototype: 1 } },
  nest(90),
  Array.from({ length: 500 }, (_, index) => index),
]

function nest(depth: number): unknown {
  return depth === 0 ? 1 : { a: nest(depth - 1) }
}

/** A value that the schema takes, or nearly takes. */
export function makeValue(random: Random, words: Vocabulary, schema: Schema, name = ''): unknown {
  if (random.chance(0.04)) return random.chance(0.5) ? random.pick(AWKWARD_VALUES) : random.pick(AWKWARD_TEXTS)
  const resolved = resolve(words, schema)
  const choices = resolved.oneOf ?? resolved.anyOf
  if (choices !== undefined) return makeValue(random, words, random.pick(choices), name)
  if (resolved.enum !== undefined) return random.pick(words.known[name]?.() ?? resolved.enum)
  const type = typeof resolved.type === 'string' ? resolved.type : random.pick(resolved.type ?? ['any'])
  switch (type) {
    case 'string':
      return makeText(random, words, resolved, name)
    case 'integer':
    case 'number':
      return random.pick([0, 1, 2, 5, 100, 10_000_000, -1, 1.5])
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'array':
      return Array.from({ length: random.below(4) }, () => makeValue(random, words, resolved.items ?? {}, name))
    case 'object':
      return makeObject(random, words, resolved, name)
    default:
      return random.pick(AWKWARD_VALUES)
  }
}

function resolve({ components }: Vocabulary, schema: Schema): Schema {
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '') ?? []
  return name === undefined ? schema : (components[name] ?? {})
}

function makeText(random: Random, { known }: Vocabulary, { maxLength, pattern }: Schema, name: string): string {
  const own = known[name]?.() ?? []
  if (own.length > 0 && random.chance(0.6)) return String(random.pick(own))
  if (random.chance(0.25)) return random.pick(AWKWARD_TEXTS)
  if (maxLength !== undefined && random.chance(0.1)) return 'm'.repeat(maxLength + random.below(3) - 1)
  if (pattern !== undefined) return random.pick(['text/plain', 'image/png', `id-${random.below(40)}`])
  return `words number ${random.below(1_000)}`
}

function makeObject(random: Random, words: Vocabulary, schema: Schema, name: string): unknown {
  const own = words.known[name]?.() ?? []
  if (own.length > 0 && random.chance(0.7)) return damage(random, random.pick(own))
  const made: Record<string, unknown> = {}
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const isWanted = schema.required?.includes(key) === true ? 0.97 : 0.5
    if (random.chance(isWanted)) made[key] = makeValue(random, words, property, key)
  }
  const isOpen = schema.additionalProperties !== false && schema.additionalProperties !== undefined
  if (random.chance(isOpen ? 0.4 : 0.04)) made[random.pick(AWKWARD_TEXTS)] = random.pick(AWKWARD_VALUES)
  return made
}

/** One thing in it is replaced, at any depth. */
function damage(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return random.pick(AWKWARD_VALUES)
  const keys = Object.keys(value)
  if (keys.length === 0 || random.chance(0.3)) return value
  const key = random.pick(keys)
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = damage(random, copy[key])
  return copy
}
