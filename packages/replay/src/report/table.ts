export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** What a reader must know to read it right. */
  readonly notes?: readonly string[]
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
