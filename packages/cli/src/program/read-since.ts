import { InvalidArgumentError } from 'commander'

/** A time as it was typed, and what it means. */
export interface Since {
  readonly words: string
  /** Milliseconds since 1970, UTC. */
  readonly at: number
}

const HOUR_MS = 3_600_000
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS }

/** So long ago, or a day of the calendar in the user's own time. */
export function readSince(text: string, _before?: unknown, now = Date.now()): Since {
  const [, digits, unit = ''] = /^(\d{1,6})([hdw])$/i.exec(text) ?? []
  const length = Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
  if (length > 0) return { words: text, at: now - length }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const at = new Date(`${text}T00:00:00`)
    // A 31st of February would become a day of March.
    if (at.getDate() === Number(text.slice(8)) && at.getTime() <= now) return { words: text, at: at.getTime() }
  }
  throw new InvalidArgumentError('It must be a time in the past: 12h, 30d, 8w or 2026-10-01.')
}
