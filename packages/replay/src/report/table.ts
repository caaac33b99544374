export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** What a reader must know to read it right. */
  readonly notes?: readonly string[]
}

/** A column: its title, and the cell that it shows of an item. */
export type Column<T> = readonly [title: string, cell: (item: T) => string]

/** A row for each item. */
export function tabulate<T>(items: readonly T[], columns: readonly Column<T>[]): Pick<Table, 'columns' | 'rows'> {
  return {
    columns: columns.map(([title]) => title),
    rows: items.map((item) => columns.map(([, cell]) => cell(item))),
  }
}

/** The first column is text and stands left, the others are numbers and stand right. */
export function renderTable({ title, columns, rows, notes = [] }: Table): string {
  const lines = [columns, ...rows]
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  const render = (line: readonly string[]): string =>
    widths
      .map((width, column) =>
        column === 0 ? (line[column] ?? '').padEnd(width) : (line[column] ?? '').padStart(width),
      )
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [title, render(columns), rule, ...rows.map(render), ...notes.map((note) => `  ${note}`)].join('\n')
}
