import type { Row } from '../../session/row.ts'

/** Which row shows a stored message; -1 if none of these does. */
export function findRow(rows: readonly Row[], messageId: string): number {
  return rows.findIndex((row) => {
    if (row.kind === 'asked') return row.id === messageId
    return row.kind === 'answer' && row.messageIds.includes(messageId)
  })
}
