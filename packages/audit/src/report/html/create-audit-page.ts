import { createDocument } from '@longhaul/replay'
import type { AuditReport, Place, SessionAudit } from '../audit-report.ts'
import { cleanReport } from '../clean-report.ts'
import { describeAudit } from '../describe-audit.ts'
import type { AgentRow, AuditWords } from '../describe-audit.ts'
import { formatBound, formatCount, formatMoment, formatNumber, formatTokens, formatUsd } from '../figures.ts'
import type { WorstLoss } from '../find-worst-losses.ts'
import { describePlace } from '../describe-place.ts'
import { drawCosts, drawKinds, drawWindows, nameSession } from './audit-plots.ts'
import { escapeMarkup, quote } from './markup.ts'
import { AUDIT_STYLE } from './page-style.ts'

export interface AuditPageOptions {
  /** This user's folder: its name is left out. */
  readonly home: string
  readonly now: number
}

const WORST = 10
const MOST_FILES = 10

/** A report as one page that loads nothing and runs nothing: for showing to others. */
export function createAuditPage(report: AuditReport, { home, now }: AuditPageOptions): string {
  const cleaned = cleanReport(report, home)
  const words = describeAudit(cleaned, { worst: WORST })
  const body = [
    '<main>',
    '<h1>What did your agents forget, and what did that cost?</h1>',
    `<p>Found on ${formatMoment(now)} by <code>longhaul audit</code> in the sessions on one machine. No model was asked and nothing was sent anywhere.</p>`,
    `<p class="lead">${escapeMarkup(words.headline)}</p>`,
    words.advice === null ? drawFindings(cleaned, words) : `<p>${escapeMarkup(words.advice)}</p>`,
    drawFooter(words),
    '</main>',
  ]
  return createDocument({
    title: 'What your agents forgot',
    style: AUDIT_STYLE,
    hasScript: false,
    body: body.join('\n'),
  })
}

function drawFindings(report: AuditReport, words: AuditWords): string {
  return [
    drawFigures(report),
    '<h2>By agent</h2>',
    drawAgents(words.rows),
    drawWindows(report),
    drawWorst(report, words.worst),
    drawKinds(report),
    drawCosts(report, words.rows),
    drawFetched(report),
    '<h2>How to run them with Longhaul</h2>',
    `<ul class="plain">${words.rows.map(({ cure }) => `<li><b>${cure.name}</b>: ${escapeMarkup(cure.sentence)}</li>`).join('')}</ul>`,
  ].join('\n')
}

function drawFigures({ totals }: AuditReport): string {
  const { compactions, needed, lost, refetchedTokens, costUsd, unpriced } = totals
  const figures = [
    { name: 'compactions', value: formatNumber(compactions) },
    { name: 'facts needed again', value: formatNumber(needed) },
    { name: 'of them lost', value: formatNumber(lost), isBad: lost > 0 },
    { name: 'tokens fetched again', value: formatTokens(refetchedTokens) },
    { name: 'cost', value: formatUsd(costUsd, costUsd === null ? 0 : unpriced) },
  ]
  return `<dl class="figures">${figures
    .map(
      ({ name, value, isBad = false }) => `<div${isBad ? ' class="bad"' : ''}><dt>${name}</dt><dd>${value}</dd></div>`,
    )
    .join('')}</dl>`
}

function drawAgents(rows: readonly AgentRow[]): string {
  const titles = ['sessions', 'compactions', 'needed again', 'lost', 'tokens again', 'cost']
  const cells = rows.map((row) => [
    formatNumber(row.sessions),
    formatNumber(row.compactions),
    formatNumber(row.needed),
    formatNumber(row.lost),
    formatTokens(row.refetchedTokens),
    formatUsd(row.costUsd, row.unpriced),
  ])
  const estimates = rows.map(({ withLonghaul }) => [
    formatNumber(withLonghaul?.lost ?? null),
    formatBound(withLonghaul?.refetchedTokensAtMost ?? null),
    formatUsd(withLonghaul?.costUsd ?? null),
  ])
  const head = `<tr><th rowspan="2" scope="col">agent</th>${titles.map((title) => `<th rowspan="2" scope="col" class="number">${title}</th>`).join('')}<th colspan="3" scope="colgroup" class="group">with Longhaul</th></tr><tr><th scope="col" class="number first">lost</th><th scope="col" class="number">tokens again</th><th scope="col" class="number">cost</th></tr>`
  const body = rows.map(
    ({ cure }, place) =>
      `<tr><th scope="row">${cure.name}</th>${cells[place]?.map((cell) => `<td class="number">${cell}</td>`).join('')}${estimates[place]?.map((cell, column) => `<td class="number${column === 0 ? ' first' : ''}">${cell}</td>`).join('')}</tr>`,
  )
  return `<section class="wide" role="region" aria-label="agents" tabindex="0"><table><thead>${head}</thead><tbody>${body.join('')}</tbody></table></section>
<p>“With Longhaul” is a replay of the same sessions through Longhaul’s own policy, at the same window, with summaries written by code; “≤”: nobody can know what the agent would have fetched.</p>`
}

/** Nothing, where the report has no texts. */
function drawWorst({ sessions }: AuditReport, worst: readonly WorstLoss[]): string {
  const items = worst.flatMap((loss) => {
    const session = sessions[loss.session]
    return session === undefined || loss.fact.text === '' ? [] : [drawLoss(loss, session)]
  })
  if (items.length === 0) return ''
  return `<h2>The worst losses</h2><ol class="losses">${items.join('')}</ol>`
}

function drawLoss({ fact, times }: WorstLoss, session: SessionAudit): string {
  const often = times > 1 ? `, lost by ${formatCount(times, 'compaction')}` : ''
  return `<li><b>${quote(fact.text)}</b> <small>(${quote(fact.kind)}${often})</small>
${drawPlace('Said', fact.saidAt)}${drawPlace('Needed', fact.neededAt)}<p>${nameSession(session)}</p></li>`
}

function drawPlace(verb: string, place: Place): string {
  return `<p>${verb} ${describePlace(place)}: <q>${quote(place.excerpt)}</q></p>`
}

function drawFetched({ sessions }: AuditReport): string {
  const all = sessions.flatMap(({ compactions }) => compactions.flatMap(({ refetched }) => refetched))
  const named = all.flatMap(({ path, command, tokens }) => {
    const name = path ?? command
    return name === null ? [] : [{ name, tokens }]
  })
  const groups = [...Map.groupBy(named, ({ name }) => name)].map(([name, group]) => {
    const known = group.flatMap(({ tokens }) => (tokens === null ? [] : [tokens]))
    const tokens = known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0)
    return { name, times: group.length, tokens }
  })
  if (groups.length === 0) return ''
  const rows = groups
    .toSorted((a, b) => (b.tokens ?? 0) - (a.tokens ?? 0))
    .slice(0, MOST_FILES)
    .map(
      ({ name, times, tokens }) =>
        `<tr><td><code>${quote(name)}</code></td><td class="number">${times}</td><td class="number">${formatTokens(tokens)}</td></tr>`,
    )
  return `<h2>Fetched again</h2><p>Files and outputs that had been in the window before a compaction, and were fetched once more after it.</p>
<section class="wide" role="region" aria-label="fetched again" tabindex="0"><table class="files"><tr><th scope="col">file or command</th><th scope="col" class="number">times</th><th scope="col" class="number">tokens</th></tr>${rows.join('')}</table></section>`
}

function drawFooter({ notes }: AuditWords): string {
  const list =
    notes.length === 0 ? '' : `<ul class="plain">${notes.map((note) => `<li>${escapeMarkup(note)}</li>`).join('')}</ul>`
  return `<footer>${list}<p>A fact is lost when it was said before a compaction, was used again after it, and stands neither in the summary nor in what was kept. Secrets and the names of home folders are taken out of this page.</p></footer>`
}
