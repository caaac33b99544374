import type { ContextItem, ContextKind, ContextReport } from '@longhaul/runtime'
import { formatNumber } from '../terminal/format.ts'
import type { Paint } from '../terminal/paint.ts'
import { renderTable } from '../terminal/table.ts'
import { oneLine } from '../terminal/text-width.ts'
import type { CardOptions } from './card-options.ts'

/** Without colour the letters tell kinds apart. */
const LOOKS: Readonly<Record<ContextKind, { readonly letter: string; readonly colour: keyof Paint }>> = {
  system: { letter: 'S', colour: 'blue' },
  file: { letter: 'F', colour: 'blue' },
  tools: { letter: 'T', colour: 'blue' },
  summary: { letter: 'Z', colour: 'magenta' },
  pin: { letter: 'P', colour: 'yellow' },
  recalled: { letter: 'B', colour: 'yellow' },
  user: { letter: 'U', colour: 'cyan' },
  assistant: { letter: 'A', colour: 'green' },
  'tool-call': { letter: 'C', colour: 'red' },
  'tool-result': { letter: 'R', colour: 'red' },
}
const KINDS = Object.keys(LOOKS) as readonly ContextKind[]

interface KindSize {
  readonly kind: ContextKind
  readonly items: number
  readonly tokens: number
}

/** What takes the space: a bar by kind and a table; in detail, every item. */
export function renderContext(
  report: ContextReport,
  form: 'list' | 'detail',
  { width, paint }: CardOptions,
): readonly string[] {
  const kinds = KINDS.map((kind) => sizeOf(report.items, kind)).filter(({ items }) => items > 0)
  const table = { width, paint }
  return [
    `${paint.bold('Context')} of the next request to ${report.model}`,
    describeUse(report),
    renderBar(report, kinds, { width: Math.min(width, 72), paint }),
    ...renderTable(
      [
        { title: '' },
        { title: 'kind' },
        { title: 'items', align: 'right' },
        { title: 'tokens', align: 'right' },
        { title: 'share', align: 'right' },
      ],
      kinds.map(({ kind, items, tokens }) => [
        paint[LOOKS[kind].colour](LOOKS[kind].letter),
        kind,
        formatNumber(items),
        formatNumber(tokens),
        formatShare(tokens, kinds),
      ]),
      table,
    ),
    ...(form === 'list' ? [] : ['', ...renderItems(report.items, table)]),
  ]
}

function describeUse({ used, window, source, threshold }: ContextReport): string {
  const of = window === null ? ', window unknown' : ` of ${formatNumber(window)} tokens`
  const at = threshold === null ? '' : `, compacts at ${formatNumber(threshold)}`
  return used === null ? `size unknown${of}` : `${formatNumber(used)}${of} (${source})${at}`
}

/** As long as the window; where that is unknown, as long as what is in it. */
function renderBar(report: ContextReport, kinds: readonly KindSize[], { width, paint }: CardOptions): string {
  const total = sum(kinds)
  const whole = Math.max(report.window ?? total, total, 1)
  let done = 0
  let cells = 0
  const parts = kinds.map(({ kind, tokens }) => {
    done += tokens
    const upTo = Math.round((done / whole) * width)
    const part = LOOKS[kind].letter.repeat(Math.max(0, upTo - cells))
    cells = Math.max(cells, upTo)
    return paint[LOOKS[kind].colour](part)
  })
  return parts.join('') + paint.dim('·'.repeat(Math.max(0, width - cells)))
}

function renderItems(items: readonly ContextItem[], options: CardOptions): readonly string[] {
  return renderTable(
    [{ title: 'tokens', align: 'right' }, { title: 'kind' }, { title: 'state' }, { title: 'what', isFlexible: true }],
    items.map(({ kind, tokens, state, label }) => [formatNumber(tokens), kind, state, oneLine(label)]),
    options,
  )
}

function sizeOf(items: readonly ContextItem[], kind: ContextKind): KindSize {
  const own = items.filter((item) => item.kind === kind && item.state !== 'left-out')
  return { kind, items: own.length, tokens: sum(own) }
}

function sum(sizes: readonly { readonly tokens: number }[]): number {
  return sizes.reduce((total, { tokens }) => total + tokens, 0)
}

function formatShare(tokens: number, kinds: readonly KindSize[]): string {
  return `${Math.round((tokens / Math.max(1, sum(kinds))) * 100)}%`
}
