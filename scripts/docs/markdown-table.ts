/** A table whose cells stand on one line each. */
export function renderTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`
  return [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-GB')
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|')
}
