/**
 * `($3::text, $4::bigint), ($5, $6)`: several rows for one statement, each value as a parameter of its own. Inside an
 * array, every quote of a long JSON text would have to be escaped. `types` are those of the columns.
 */
export function listParameters(types: readonly string[], rows: number, firstNumber: number): string {
  return Array.from({ length: rows }, (_, row) => {
    const numbers = types.map((_type, column) => `$${firstNumber + row * types.length + column}`)
    return `(${numbers.map((number, column) => (row === 0 ? `${number}::${types[column]}` : number)).join(', ')})`
  }).join(', ')
}
