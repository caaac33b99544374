import type { Controls } from '@longhaul/engine'

const SOURCES = { reported: 'as the provider billed it', estimated: 'estimated', unknown: 'nobody knows' }

/** Tells a person how full the window is and what was done to the conversation. */
export function describeContext({ measure, entries }: Pick<Controls, 'measure' | 'entries'>): string {
  const { tokens, windowTokens, percent, source } = measure()
  const log = entries()
  const undone = new Set(log.flatMap((entry) => (entry.type === 'compaction-undone' ? [entry.compaction] : [])))
  const made = log.filter((entry) => entry.type === 'compaction')
  const inForce = made.filter(({ id }) => !undone.has(id))
  const last = inForce.at(-1)
  const messages = log.filter(({ type }) => type === 'message')
  const summarized = messages.filter(({ seq }) => seq < (last?.fromSeq ?? 0))
  const shortened = new Set(
    log.flatMap((entry) =>
      entry.type === 'prune' ? entry.decisions.map(({ entry: { id }, part }) => `${id} ${part}`) : [],
    ),
  )
  const share = percent === null ? '' : ` (${Math.round(percent)}%)`
  return [
    `Used: ${show(tokens)} of ${show(windowTokens)} tokens${share}, ${SOURCES[source]}`,
    `Summarized: ${summarized.length} of ${messages.length} messages; shortened tool results: ${shortened.size}`,
    `Compactions: ${inForce.length}${undone.size === 0 ? '' : `, and ${undone.size} taken back`}`,
    ...(last === undefined
      ? []
      : [`Last: ${show(last.tokensBefore)} → ${show(last.tokensAfter)} tokens, by ${last.model ?? 'code'}`]),
  ].join('\n')
}

function show(tokens: number | null): string {
  return tokens === null ? 'unknown' : tokens.toLocaleString('en-US')
}
