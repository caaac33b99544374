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

function withoutSecrets(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, safeValue(name, value)]))
}

function safeValue(name: string, value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (SECRET_NAME.test(name) || QUOTING_FIELDS.has(name)) return value === null ? null : CENSORED
  if (typeof value === 'string') return redactSecrets(value)
  if (Array.isArray(value)) return value.map((each: unknown) => safeValue('', each))
  if (value instanceof Error) return redactSecrets(value.message)
  return typeof value === 'object' && value !== null ? withoutSecrets({ ...value }) : value
}
