import { createContext, Script } from 'node:vm'
import { ModelsError } from '../models-error.ts'
import type { ModelFailureKind } from '../port/model-failure.ts'
import type { CountGroups } from './read-counts.ts'

/** A text of an endpoint nobody here knows, in the user's configuration. Groups named as in `ErrorRow` give the numbers. */
export interface UserPattern {
  /** A regular expression; case does not matter. */
  readonly pattern: string
  readonly kind: ModelFailureKind
}

export type MatchUserPattern = (text: string) => { kind: ModelFailureKind; groups: CountGroups } | null

/** What an error of a provider can be. The others are found out on this side. */
const KINDS: readonly ModelFailureKind[] = [
  'input-overflow',
  'output-overflow',
  'request-too-large',
  'thinking-binding',
  'invalid-request',
  'rate-limited',
  'auth',
  'unknown-model',
  'unavailable',
  'refused',
]
const MAX_PATTERN_CHARS = 1_000
/** An ordinary match takes microseconds. On a busy machine the clock stops those too, so they are tried again ... */
const MATCH_TIMEOUT_MS = 50
/** ... until the processor has spent this much on them. */
const MATCH_PROCESSOR_MS = 150

/** Refuses what cannot be used. A pattern that runs away on some text is stopped and counts as no match. */
export function createUserPatterns(patterns: readonly UserPattern[]): MatchUserPattern {
  const compiled = patterns.map(({ pattern, kind }, index) => ({ regExp: compile(pattern, kind, index), kind }))
  return (text) => {
    for (const { regExp, kind } of compiled) {
      const match = execWithin(regExp, text)
      if (match !== null) return { kind, groups: match.groups ?? {} }
    }
    return null
  }
}

function compile(pattern: string, kind: ModelFailureKind, index: number): RegExp {
  const path = `overflowPatterns[${index}]`
  if (!KINDS.includes(kind)) {
    throw new ModelsError('invalid-configuration', `${path}.kind: expected one of ${KINDS.join(', ')}, got ${kind}`)
  }
  if (pattern.length > MAX_PATTERN_CHARS) {
    throw new ModelsError('invalid-configuration', `${path}.pattern: longer than ${MAX_PATTERN_CHARS} characters`)
  }
  let regExp: RegExp
  try {
    regExp = new RegExp(pattern, 'i')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ModelsError('invalid-configuration', `${path}.pattern: ${reason}. Write a regular expression.`, { cause })
  }
  if (execWithin(regExp, '') !== null) {
    throw new ModelsError('invalid-configuration', `${path}.pattern: matches every error. Name the words to look for.`)
  }
  return regExp
}

const execScript = new Script('regExp.exec(text)')

/** Nobody can tell by looking whether a regular expression can run away; V8 stops it when time is up. */
function execWithin(regExp: RegExp, text: string): RegExpExecArray | null {
  const context = createContext({ regExp, text })
  const begin = process.threadCpuUsage()
  for (;;) {
    try {
      return execScript.runInContext(context, { timeout: MATCH_TIMEOUT_MS }) as RegExpExecArray | null
    } catch (error) {
      const { user, system } = process.threadCpuUsage(begin)
      if (!isTimeout(error) || (user + system) / 1_000 >= MATCH_PROCESSOR_MS) return null
    }
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
