/** Longer is as good as never; and timers that are set further ahead than 24 days fire at once. */
const MAX_WAIT_MS = 24 * 60 * 60_000

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const PIECE = String.raw`\d{1,9}(?:\.\d{1,9})?(?:ms|[smhd])`
/** `20s`, `6m0s`, `1h2m3.5s`, `850ms`. */
const DURATION = new RegExp(`^(?:${PIECE}){1,5}$`)
/** OpenAI: "Please try again in 6m0s." Gemini: "Please retry in 41.5s." Others: "retry after 20 seconds". */
const IN_TEXT = new RegExp(
  String.raw`\b(?:try again|retry)\s{1,3}(?:in|after)\s{1,3}(?:(?<short>(?:${PIECE}){1,5})(?![a-z])|(?<count>\d{1,9}(?:\.\d{1,9})?)\s{1,3}(?<unit>second|minute|hour))`,
  'i',
)

/** Looked for first, because Date.parse makes a date of almost anything. */
const HTTP_DATE = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? \d|\d{4}-\d{2}-\d{2}T)[\w :.+-]{1,40}$/i

export interface RetryAdvice {
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string | undefined>
  /** A duration from the body of the response. */
  readonly delay: string | null
  readonly text: string
  readonly nowMs: number
}

/** How long the endpoint wants to be left alone; null where it does not say. Never negative. */
export function readRetryAfter({ headers, delay, text, nowMs }: RetryAdvice): number | null {
  const retryAfter = headers.get('retry-after')?.trim()
  const { short, count, unit } = IN_TEXT.exec(text)?.groups ?? {}
  const advice = [
    readNumber(headers.get('retry-after-ms')?.trim(), 1),
    readNumber(retryAfter, 1_000),
    readDate(retryAfter, nowMs),
    readDuration(delay),
    readDuration(short?.toLowerCase()),
    readNumber(count, UNIT_MS[unit?.charAt(0).toLowerCase() ?? ''] ?? 0),
  ]
  const waitMs = advice.find((value) => value !== null)
  return waitMs === undefined || waitMs === null ? null : Math.min(Math.max(0, Math.ceil(waitMs)), MAX_WAIT_MS)
}

function readNumber(text: string | undefined, unitMs: number): number | null {
  return text !== undefined && /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) * unitMs : null
}

function readDate(text: string | undefined, nowMs: number): number | null {
  if (text === undefined || !HTTP_DATE.test(text)) return null
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? null : atMs - nowMs
}

function readDuration(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !DURATION.test(text)) return null
  let totalMs = 0
  for (const [piece] of text.matchAll(new RegExp(PIECE, 'g'))) {
    totalMs += Number.parseFloat(piece) * (UNIT_MS[piece.replace(/^[\d.]+/, '')] ?? 0)
  }
  return totalMs
}
