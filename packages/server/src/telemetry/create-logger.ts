import pino from 'pino'
import { redactSecrets } from '@longhaul/runtime'
import type { LogLine } from '@longhaul/runtime'

export interface LoggerOptions {
  /** The least that is worth a line. */
  readonly level?: LogLine['level'] | 'silent'
  /** Where lines go; without it, standard error. */
  readonly destination?: { write(line: string): void }
}

export type Log = (line: LogLine) => void

/** Names under which secrets travel, wherever in a line they stand. */
const SECRET_NAME = /key|token$|secret|password|authorization|cookie/i
/** Events whose message quotes what somebody wrote or a model said: that it happened is logged, the words are not. */
const QUOTING_EVENTS: ReadonlySet<string> = new Set(['flush-answer', 'pin-lost'])
/** Fields that hold what was written or said. */
const QUOTING_FIELDS: ReadonlySet<string> = new Set(['text', 'content', 'prompt', 'input', 'output', 'body', 'summary'])
const CENSORED = '[redacted]'
/** A line is no place for more; what contains itself would never end. */
const MAX_DEPTH = 5

/** One JSON object a line. Keys, tokens and what people and models say are left out, however a line came to hold them. */
export function createLogger({ level = 'info', destination = pino.destination(2) }: LoggerOptions = {}): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'message',
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
  return ({ level: lineLevel, message, ...fields }) => {
    const words = QUOTING_EVENTS.has(fields.event) ? `${message.length} characters are not logged` : message
    logger[lineLevel](withoutSecrets(fields), redactSecrets(words))
  }
}

function withoutSecrets(fields: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, safeValue(name, value, depth)]))
}

function safeValue(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (SECRET_NAME.test(name) || QUOTING_FIELDS.has(name)) return value === null ? null : CENSORED
  if (typeof value === 'string') return redactSecrets(value)
  if (value instanceof Error) return redactSecrets(value.message)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return '[…]'
  return Array.isArray(value)
    ? value.map((each: unknown) => safeValue('', each, depth + 1))
    : withoutSecrets(value, depth + 1)
}
