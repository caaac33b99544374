import { EngineError } from '../policy/engine-error.ts'
import { findNearestName } from '../policy/nearest-name.ts'
import { isRecord } from '../transcript/json.ts'
import { describeValue } from './describe-value.ts'

/** What an argument has to be, in the words of the error. */
const KINDS = {
  'a string': (value: unknown) => typeof value === 'string',
  'true or false': (value: unknown) => typeof value === 'boolean',
  'a string or null': (value: unknown) => value === null || typeof value === 'string',
  'a function': (value: unknown) => typeof value === 'function',
  'a list': (value: unknown) => Array.isArray(value),
  'a number of tokens': (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  'a positive number of tokens': isPositive,
  'a positive number': isPositive,
  'an AbortSignal': (value: unknown) =>
    typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
} as const

export type ArgumentKind = keyof typeof KINDS

/** A kind for each option, or null where its own reader checks it: an option without one does not compile. */
export type KindsOf<T> = { readonly [K in keyof T]-?: ArgumentKind | null }

/** Refuses an argument of another kind, and says what was expected and what came. */
export function checkKind(path: string, value: unknown, kind: ArgumentKind): void {
  if (!KINDS[kind](value)) refuseOption(path, kind, value)
}

/** Refuses a value that is no object, keys that nobody reads, and values of the wrong kind; what is undefined is left out. */
export function checkKinds<T extends object>(value: T, kinds: KindsOf<T>): void {
  checkKeys(value, Object.keys(kinds))
  for (const [key, kind] of Object.entries<ArgumentKind | null>(kinds)) {
    const given = (value as Record<string, unknown>)[key]
    if (kind !== null && given !== undefined) checkKind(`options.${key}`, given, kind)
  }
}

/** Refuses keys that nobody reads: a misspelled one would be passed over in silence. */
export function checkKeys(
  value: unknown,
  known: readonly string[],
  prefix = 'options.',
  expected = known.join(', '),
): void {
  if (!isRecord(value)) refuseOption('options', `{ ${known.join(', ')} }`, value)
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const got = describeValue(value[key])
    const suggestion = findNearestName(key, known)
    const issue = { path: `${prefix}${key}`, expected, got }
    throw new EngineError('invalid-options', [suggestion === undefined ? issue : { ...issue, suggestion }])
  }
}

export function refuseOption(path: string, expected: string, got: unknown): never {
  throw new EngineError('invalid-options', [{ path, expected, got: describeValue(got) }])
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 1
}
