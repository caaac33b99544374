import { isRecord } from '../transcript/json.ts'

/** How one policy value is read: `read` returns undefined for what it does not accept, and `expected` says what it does. */
export interface ValueKind<T> {
  readonly expected: string
  read(value: unknown): T | undefined
  /** A group of further keys; its values are read one by one, so that an error names the key and not the group. */
  readonly group?: GroupKeys
  /** What a partly given group starts from when the inherited value is off. */
  readonly groupDefaults?: Readonly<Record<string, unknown>>
}

export type GroupKeys = Readonly<Record<string, ValueKind<unknown>>>

export const boolean: ValueKind<boolean> = {
  expected: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
}

/** Not empty, because every text in a policy names or says something. */
export const text: ValueKind<string> = {
  expected: 'a text',
  read: (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined),
}

export const count: ValueKind<number> = integer('a whole number, 0 or more', 0)
export const positive: ValueKind<number> = integer('a whole number, 1 or more', 1)
export const share: ValueKind<number> = between('a number above 0 and at most 1', (value) => value > 0 && value <= 1)
export const temperature: ValueKind<number> = between('a number from 0 to 2', (value) => value >= 0 && value <= 2)

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export const duration: ValueKind<number> = {
  expected: 'a duration: milliseconds, or a text such as "30s", "5m", "1h"',
  read(value) {
    if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : undefined
    if (typeof value !== 'string') return undefined
    const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*$/.exec(value)
    const milliseconds = Math.round(Number(match?.[1]) * (UNIT_MS[match?.[2] ?? ''] ?? Number.NaN))
    return Number.isSafeInteger(milliseconds) ? milliseconds : undefined
  },
}

export const globs: ValueKind<readonly string[]> = {
  expected: 'a list of tool names, * allowed',
  read: (value) =>
    Array.isArray(value) && value.every((element) => typeof element === 'string') ? [...value] : undefined,
}

export function choice<const T extends string | boolean>(...choices: readonly T[]): ValueKind<T> {
  return {
    expected: choices.map((option) => JSON.stringify(option)).join(', '),
    read: (value) => choices.find((option) => option === value),
  }
}

/** Takes `null`, `false` and `"off"` for null. */
export function orOff<T>(kind: ValueKind<T>): ValueKind<T | null> {
  return {
    ...kind,
    expected: `${kind.expected}, or "off"`,
    read: (value) => (isOff(value) ? null : kind.read(value)),
  }
}

export function either<A, B>(first: ValueKind<A>, second: ValueKind<B>): ValueKind<A | B> {
  return {
    expected: `${first.expected}, or ${second.expected}`,
    read: (value) => first.read(value) ?? second.read(value),
  }
}

export function group<T extends object>(
  keys: { readonly [K in keyof T]: ValueKind<T[K]> },
  defaults?: T,
): ValueKind<T> {
  return {
    expected: 'an object',
    read: (value) => (isRecord(value) ? (value as T) : undefined),
    group: keys,
    ...(defaults === undefined ? {} : { groupDefaults: defaults as Readonly<Record<string, unknown>> }),
  }
}

function isOff(value: unknown): boolean {
  return value === null || value === false || value === 'off'
}

function integer(expected: string, min: number): ValueKind<number> {
  return between(expected, (value) => Number.isSafeInteger(value) && value >= min)
}

function between(expected: string, accepts: (value: number) => boolean): ValueKind<number> {
  return { expected, read: (value) => (typeof value === 'number' && accepts(value) ? value : undefined) }
}
