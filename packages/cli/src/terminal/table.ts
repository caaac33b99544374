import { fitText, padText, padTextStart, textWidth } from './text-width.ts'
import type { Paint } from './paint.ts'

export interface Column {
  readonly title: string
  readonly align?: 'right'
  /** One of them takes what is left of the width; the others are as wide as what they hold. */
  readonly isFlexible?: true
}

export interface TableOptions {
  readonly width: number
  readonly paint: Paint
}

const GAP = '  '
const MIN_FLEXIBLE_COLUMNS = 8

/** Never wider than the terminal: the flexible column is cut first. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, paint }: TableOptions,
): readonly string[] {
  const flexible = columns.findIndex(({ isFlexible }) => isFlexible === true)
  const natural = columns.map(({ title }, index) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[index] ?? ''))),
  )
  const excess = natural.reduce((sum, each) => sum + each, GAP.length * (columns.length - 1)) - width
  const widths = natural.map((each, index) =>
    excess > 0 && index === flexible ? Math.max(MIN_FLEXIBLE_COLUMNS, each - excess) : each,
  )
  const line = (cells: readonly string[]): string =>
    fitText(
      cells
        .map((cell, index) => renderCell(cell, columns[index], widths[index] ?? 0))
        .join(GAP)
        .trimEnd(),
      width,
    )
  const head = columns.some(({ title }) => title !== '') ? [paint.dim(line(columns.map(({ title }) => title)))] : []
  return [...head, ...rows.map(line)]
}

function renderCell(cell: string, column: Column | undefined, columns: number): string {
  const text = fitText(cell, columns)
  return column?.align === 'right' ? padTextStart(text, columns) : padText(text, columns)
}
