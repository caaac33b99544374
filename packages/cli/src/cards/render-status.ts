import type { SessionStatus } from '@longhaul/runtime'
import { formatCost, formatCount, formatNumber } from '../terminal/format.ts'
import { fitText, oneLine, padText, textWidth, wrapText } from '../terminal/text-width.ts'
import { renderGauge } from './gauge.ts'
import type { CardOptions } from './card-options.ts'

/** A session on one card. */
export function renderStatus(status: SessionStatus, { width, paint }: CardOptions): readonly string[] {
  const { tokens } = status
  const rows: readonly (readonly [string, string])[] = [
    ['session', status.id],
    ...(status.origin === null ? [] : [describeOrigin(status)]),
    ['model', `${status.model} · preset ${status.preset ?? 'as configured'}`],
    ['context', renderGauge(tokens, paint)],
    ...describeWindow(status),
    ['compactions', describeCompactions(status)],
    ['messages', `${formatNumber(status.messageCount)} · ${formatCount(status.pins, 'pin')}`],
    [
      'tokens',
      `${formatNumber(tokens.input)} in, ${formatNumber(tokens.output)} out · ${formatCost(status.costUsd, status.unpricedCalls)}`,
    ],
    ...status.clamps.map(({ key, from, to }): readonly [string, string] => [
      'clamped',
      `${key}: ${formatNumber(to)} instead of ${formatNumber(from)}, for this window`,
    ]),
  ]
  return [
    ...drawCard(oneLine(status.title ?? 'Untitled'), rows, { width, paint }),
    ...status.warnings.flatMap((warning) => wrapText(`⚠ ${oneLine(warning)}`, width)),
  ]
}

function describeOrigin({ origin, waiting }: SessionStatus): readonly [string, string] {
  const wishes = waiting.map(({ kind }) => kind).join(', ')
  return ['kept by', `${oneLine(origin ?? '')}${wishes === '' ? '' : ` · waits for its next call: ${wishes}`}`]
}

function describeWindow({ tokens, windowSource, learntWindow }: SessionStatus): readonly (readonly [string, string])[] {
  const { context, window, threshold } = tokens
  if (window === null) return [['window', 'unknown: nothing is compacted before the provider says "too long"']]
  const used = context === null ? '?' : formatNumber(context)
  const at = threshold === null ? '' : ` · compacts at ${formatNumber(threshold)}`
  const from = learntWindow === null ? windowSource : 'learnt from the endpoint'
  return [['', `${used} of ${formatNumber(window)} tokens (window: ${from})${at}`]]
}

function describeCompactions({ compactionCount, compactionFailures, ...status }: SessionStatus): string {
  const failed = compactionFailures === 0 ? '' : ` · ${compactionFailures} failed in a row`
  return `${compactionCount}${failed}${describeNext(status)}`
}

function describeNext({ turnsLeft, isExempt }: Pick<SessionStatus, 'turnsLeft' | 'isExempt'>): string {
  if (isExempt) return ' · after your undo, the next when the window is full'
  if (turnsLeft === null) return ''
  return turnsLeft === 0 ? ' · the next is due' : ` · next in about ${formatCount(turnsLeft, 'turn')}`
}

/** A box of names and values; in a narrow terminal, lines alone. */
function drawCard(
  title: string,
  rows: readonly (readonly [string, string])[],
  { width, paint }: CardOptions,
): readonly string[] {
  const names = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `${paint.dim(name.padEnd(names))}  ${value}`)
  if (width < 40) return [paint.bold(fitText(title, width)), ...lines.map((line) => fitText(line, width))]
  const inner = Math.min(width - 4, Math.max(textWidth(title) + 1, ...lines.map(textWidth)))
  const head = fitText(title, inner)
  return [
    `╭ ${paint.bold(head)} ${'─'.repeat(Math.max(0, inner - textWidth(head)))}╮`,
    ...lines.map((line) => `│ ${padText(fitText(line, inner), inner)} │`),
    `╰${'─'.repeat(inner + 2)}╯`,
  ]
}
