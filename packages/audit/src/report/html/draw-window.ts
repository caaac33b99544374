import type { SessionAudit } from '../audit-report.ts'
import { formatMoment, formatTokens } from '../figures.ts'
import { escapeMarkup } from './markup.ts'

const HEIGHT = 132
/** Room below for the times, and above for the name of the window. */
const TOP = 16
const BOTTOM = 20
/** The last fall stands clear of the edge. */
const WIDEST_SHARE = 0.96

interface Step {
  /** From 0 to 1. */
  readonly x: number
  readonly before: number | null
  readonly after: number | null
  readonly words: string
}

/**
 * The tokens in a session's window: it fills up, a compaction empties it, it fills up again. Straight lines stand between
 * the figures that are known. It is as wide as the page, and its letters keep their size.
 */
export function drawWindow({ compactions, startedAt, windowTokens }: SessionAudit): string {
  const steps = placeSteps(compactions, startedAt)
  const known = steps.flatMap(({ before, after }) => [before, after]).filter((tokens) => tokens !== null)
  if (known.length === 0) return ''
  const top = Math.max(1, windowTokens ?? 0, ...known) * 1.02
  const y = (tokens: number): number => TOP + (1 - tokens / top) * (HEIGHT - TOP - BOTTOM)
  const percent = (x: number): string => `${(x * 100).toFixed(2)}%`
  const points = createPoints(steps).map(([x, tokens]) => `${(x * 1_000).toFixed(1)},${y(tokens).toFixed(1)}`)
  const [first] = steps
  const last = steps.at(-1)
  const times =
    startedAt === null || !isTimed(compactions, startedAt)
      ? ''
      : `<text x="0" y="${HEIGHT - 4}">${formatMoment(startedAt)}</text><text x="100%" y="${HEIGHT - 4}" text-anchor="end">${formatMoment(compactions.at(-1)?.at ?? null)}</text>`
  return `<svg class="plot" height="${HEIGHT}" role="img" aria-label="${escapeMarkup(describeSteps(steps))}">
${windowTokens === null ? '' : `<line class="window" x1="0" x2="100%" y1="${y(windowTokens)}" y2="${y(windowTokens)}"/><text x="0" y="${y(windowTokens) - 4}">window: ${formatTokens(windowTokens)}</text>`}
<line class="axis" x1="0" x2="100%" y1="${y(0)}" y2="${y(0)}"/>
<svg x="0" y="0" width="100%" height="${HEIGHT}" viewBox="0 0 1000 ${HEIGHT}" preserveAspectRatio="none"><polygon class="fill" points="0,${y(0)} ${points.join(' ')} ${((last?.x ?? 0) * 1_000).toFixed(1)},${y(0)}"/><polyline class="rise" points="${points.join(' ')}"/></svg>
${steps
  .map(
    ({ x, before, words }) =>
      `<line class="drop" x1="${percent(x)}" x2="${percent(x)}" y1="${TOP}" y2="${y(0)}"/><circle class="dot" cx="${percent(x)}" cy="${y(before ?? 0).toFixed(1)}" r="4"><title>${escapeMarkup(words)}</title></circle>`,
  )
  .join('')}
${first === undefined ? '' : nameTop(first, y)}
${times}
</svg>`
}

/** Above the first compaction, on the side where there is room. */
function nameTop({ x, before }: Step, y: (tokens: number) => number): string {
  if (before === null) return ''
  const isAtStart = x < 0.2
  return `<text class="strong name" x="${(x * 100).toFixed(2)}%" dx="${isAtStart ? 8 : -8}" y="${(y(before) + (isAtStart ? 12 : -2)).toFixed(1)}" text-anchor="${isAtStart ? 'start' : 'end'}">${formatTokens(before)}</text>`
}

/** By the clock where every moment is known, else at equal distances. */
function placeSteps(compactions: SessionAudit['compactions'], startedAt: number | null): readonly Step[] {
  const end = Math.max(...compactions.map(({ at }) => at ?? 0))
  return compactions.map(({ at, trigger, tokensBefore, tokensAfter }, place) => ({
    x:
      WIDEST_SHARE *
      (startedAt !== null && isTimed(compactions, startedAt)
        ? ((at ?? 0) - startedAt) / (end - startedAt)
        : (place + 1) / compactions.length),
    before: tokensBefore,
    after: tokensAfter,
    words: `Compaction ${place + 1}${trigger === null ? '' : ` (${trigger})`}: ${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)} tokens, ${formatMoment(at)}`,
  }))
}

/** Whether every moment is known, and none stands before the beginning. */
function isTimed(compactions: SessionAudit['compactions'], startedAt: number): boolean {
  return compactions.every(({ at }) => at !== null && at >= startedAt) && compactions.some(({ at }) => at !== startedAt)
}

/** From an empty window on; a figure that is not known is left out. */
function createPoints(steps: readonly Step[]): readonly (readonly [x: number, tokens: number])[] {
  const points = steps.flatMap(({ x, before, after }) => [
    ...(before === null ? [] : [[x, before] as const]),
    ...(after === null ? [] : [[x, after] as const]),
  ])
  return [[0, 0], ...points]
}

function describeSteps(steps: readonly Step[]): string {
  return `Tokens in the window. ${steps.map(({ words }) => words).join('. ')}`
}
