import { createTables } from '@longhaul/replay'
import type { ReplayReport, Table } from '@longhaul/replay'
import { renderTable } from '../terminal/table.ts'
import type { TableOptions } from '../terminal/table.ts'
import { textWidth, wrapText } from '../terminal/text-width.ts'

const GAP = 2
const MAX_NAME_COLUMNS = 24

/** The report's tables, as wide as the terminal: columns that do not fit go below, and those that say nothing are left out. */
export function renderReplay(result: ReplayReport, options: TableOptions): readonly string[] {
  const blocks = createTables(result).map((table) => renderOne(table, options))
  // A title alone tells nothing.
  return blocks.filter(({ length }) => length > 1).flatMap((lines) => [...lines, ''])
}

function renderOne({ title, columns, rows, notes = [] }: Table, options: TableOptions): readonly string[] {
  const { paint, width } = options
  const told = columns.flatMap((_, column) =>
    column === 0 || rows.some((row) => !isEmpty(row[column])) ? [column] : [],
  )
  const left = columns.filter((_, column) => !told.includes(column))
  const widthOf = (column: number): number =>
    Math.max(textWidth(columns[column] ?? ''), ...rows.map((row) => textWidth(row[column] ?? '')))
  const blocks =
    rows.length === 0 ? [] : splitColumns(told.slice(1), widthOf, width - Math.min(widthOf(0), MAX_NAME_COLUMNS))
  return [
    paint.bold(title),
    ...blocks.flatMap((block) =>
      renderTable(
        [
          { title: columns[0] ?? '', isFlexible: true },
          ...block.map((column) => ({ title: columns[column] ?? '', align: 'right' as const })),
        ],
        rows.map((row) => [row[0] ?? '', ...block.map((column) => row[column] ?? '')]),
        options,
      ),
    ),
    ...notes
      .filter((note) => !left.some((column) => note.startsWith(`${column}: `)))
      .flatMap((note) => wrapText(note, width))
      .map(paint.dim),
  ]
}

/** Nothing happened in it, under any policy. */
function isEmpty(cell: string | undefined): boolean {
  return cell === undefined || cell === '0' || cell === '–'
}

function splitColumns(
  columns: readonly number[],
  widthOf: (column: number) => number,
  room: number,
): readonly (readonly number[])[] {
  const blocks: number[][] = []
  let left = 0
  for (const column of columns) {
    const needed = widthOf(column) + GAP
    if (needed > left || blocks.length === 0) {
      blocks.push([])
      left = room
    }
    blocks.at(-1)?.push(column)
    left -= needed
  }
  return blocks
}
