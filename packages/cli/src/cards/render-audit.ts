import { cleanReport, describeAudit, findCure, formatNumber, formatTokens, formatUsd } from '@longhaul/audit'
import type { AgentRow, AuditReport, AuditWords, DescribeOptions, SessionAudit, WorstLoss } from '@longhaul/audit'
import { renderTable } from '../terminal/table.ts'
import type { Column, TableOptions } from '../terminal/table.ts'
import { fitText, oneLine, showText, wrapText } from '../terminal/text-width.ts'

export interface AuditCardOptions extends DescribeOptions, TableOptions {
  /** This user's folder is written `~`. */
  readonly home: string
}

/** With the line on which the next command is typed, it fits a screen of 24 lines. */
const SCREEN_LINES = 23
const MOST_CHARS = 500
/** The share of the terminal's width that a lost fact may take. */
const FACT_SHARE = 0.36

const number = (title: string): Column => ({ title, align: 'right' })
const AGENT_COLUMNS: readonly Column[] = [
  { title: '', isFlexible: true },
  number(''),
  number(''),
  number('needed'),
  number(''),
  number('tokens'),
  number(''),
  number('with Longhaul'),
]
const AGENT_TITLES = ['agent', 'sessions', 'compacted', 'again', 'lost', 'again', 'cost', 'lost · cost']

/** One screen: the sums in words, a line an agent, the worst losses, and the way out. */
export function renderAudit(report: AuditReport, options: AuditCardOptions): readonly string[] {
  const { width, paint, home } = options
  const cleaned = cleanReport(report, home)
  const words = describeAudit(cleaned, options)
  const text = (sentences: string): readonly string[] => (sentences === '' ? [] : wrapText(showText(sentences), width))
  const blocks =
    words.advice === null
      ? [
          text(words.headline),
          renderAgents(words.rows, options),
          renderLosses(cleaned, words.worst, options),
          [...text(describeCures(words)), ...text(words.notes.join(' ')).map(paint.dim)],
        ]
      : [text(words.headline).map(paint.bold), text(words.advice), text(words.notes.join(' ')).map(paint.dim)]
  const told = blocks.filter(({ length }) => length > 0)
  const lines = told.reduce((sum, { length }) => sum + length + 1, 0)
  return told.flatMap((block, place) => (place === 0 || lines > SCREEN_LINES ? block : ['', ...block]))
}

function renderAgents(rows: readonly AgentRow[], options: AuditCardOptions): readonly string[] {
  const cells = rows.map(({ cure, withLonghaul, ...row }) => [
    cure.name,
    formatNumber(row.sessions),
    formatNumber(row.compactions),
    formatNumber(row.needed),
    row.lost === 0 ? '0' : options.paint.red(formatNumber(row.lost)),
    formatTokens(row.refetchedTokens),
    formatUsd(row.costUsd, row.costUsd === null ? 0 : row.unpriced),
    withLonghaul === null ? 'unknown' : `${formatNumber(withLonghaul.lost)} · ${formatUsd(withLonghaul.costUsd)}`,
  ])
  const [above = '', titles = '', ...lines] = renderTable(AGENT_COLUMNS, [AGENT_TITLES, ...cells], options)
  return [above, options.paint.dim(titles), ...lines]
}

function renderLosses(
  { sessions }: AuditReport,
  worst: readonly WorstLoss[],
  options: AuditCardOptions,
): readonly string[] {
  // A shared report has no texts.
  const told = worst.filter(({ fact }) => fact.text !== '')
  if (told.length === 0) return []
  return renderTable(
    [
      { title: 'the worst losses' },
      { title: 'kind' },
      { title: 'needed by' },
      { title: 'message', align: 'right' },
      { title: 'of session', isFlexible: true },
    ],
    told.map(({ fact, session }) => [
      options.paint.bold(fitText(line(fact.text), Math.floor(options.width * FACT_SHARE))),
      line(fact.kind),
      { user: 'you', assistant: 'agent', tool: 'tool' }[fact.neededAt.by],
      formatNumber(fact.neededAt.message),
      nameSession(sessions[session]),
    ]),
    options,
  )
}

function nameSession(session: SessionAudit | undefined): string {
  if (session === undefined) return ''
  const { title, id, agent } = session
  return `${title === null || title === '' ? id.slice(0, 8) : line(title)}, ${findCure(agent).name}`
}

function describeCures({ rows }: AuditWords): string {
  const cures = rows.map(({ cure }) => cure.command ?? `${cure.name}: not yet`)
  return `To run ${rows.length === 1 ? 'it' : 'them'} with Longhaul: ${cures.join(' · ')}`
}

/** On one line, with what is hidden in it made visible. */
function line(text: string): string {
  return oneLine(showText(text.slice(0, MOST_CHARS)))
}
