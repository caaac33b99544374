import type { ConversationCase } from './describe-conversations.ts'
import type { ConversationReport } from './run-conversation.ts'

export type TableRow = ConversationReport & ConversationCase & { readonly model: string }

const COLUMNS: readonly (readonly [title: string, read: (row: TableRow) => string | number])[] = [
  ['preset', ({ preset }) => preset],
  ['model', ({ model }) => model],
  ['window', ({ windowTokens }) => windowTokens],
  ['configured', ({ configuredTokens }) => configuredTokens],
  ['turns', ({ turns }) => turns],
  ['requests', ({ requests }) => requests],
  ['compactions', ({ compactions }) => compactions],
  ['trims', ({ trims }) => trims],
  ['refusals', ({ refusals }) => refusals],
  ['largest', ({ largestInput }) => largestInput],
  ['asked', ({ fromContext, byRecall, unanswered }) => fromContext + byRecall + unanswered.length],
  ['context', ({ fromContext }) => fromContext],
  ['recall', ({ byRecall }) => byRecall],
  ['pins', ({ pinnedAnswered }) => pinnedAnswered],
  ['tokens sent', ({ tokensSent }) => tokensSent],
  ['cost $', ({ costUsd }) => costUsd.toFixed(2)],
  ['seconds', ({ seconds }) => seconds.toFixed(1)],
]

export function printTable(title: string, rows: readonly TableRow[]): void {
  const lines = [COLUMNS.map(([name]) => name), ...rows.map((row) => COLUMNS.map(([, read]) => String(read(row))))]
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const table = lines.map((cells) => cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '))
  console.log([title, ...table].join('\n'))
}
