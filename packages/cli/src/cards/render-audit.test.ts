import { expect, it } from 'vitest'
import { shareReport } from '@longhaul/audit'
import type { AuditReport } from '@longhaul/audit'
import { createCompaction, createExampleReport, createReport, createSession } from '@longhaul/audit/testing'
import { createPaint } from '../terminal/paint.ts'
import { textWidth } from '../terminal/text-width.ts'
import { renderAudit } from './render-audit.ts'

const render = (report: AuditReport, width = 80): readonly string[] =>
  renderAudit(report, { home: '/home/ada', width, paint: createPaint(false) })

it('tells the sums, a line an agent, the worst losses with their places, and the way out', () => {
  expect(`\n${render(createExampleReport()).join('\n')}\n`).toMatchInlineSnapshot(`
    "
    In 4 sessions, Claude Code, Codex and pi compacted 4 times: a summary took the
    place of older messages. 66 facts from before were needed again; 5 of them were
    lost. 19.2k tokens of files and outputs that had been in view were fetched
    again. Summaries and fetching again cost at least $1.80.

                                      needed         tokens           with Longhaul
    agent        sessions  compacted   again  lost    again     cost    lost · cost
    Claude Code         1          2      53     4    19.2k    $1.19      1 · $0.44
    Codex               1          1       9     1  unknown  unknown    0 · unknown
    pi                  1          1       4     0        0    $0.61        unknown

    the worst losses              kind     needed by  message  of session
    TENANT-4471-Q                 code     you            212  Invoices for tenants…
    Never send a mail from a te…  quote    agent          260  Invoices for tenants…
    src/importer/split-lines.ts   path     agent          150  Move the importer to…
    3.75 %                        number   agent          244  Invoices for tenants…
    https://billing.example.org…  address  agent          351  Invoices for tenants…

    To run them with Longhaul: longhaul run claude · longhaul run codex · pi install
    npm:@longhaul/pi
    1 compaction has no known price. 1 file could not be read, or only in part.
    "
  `)
})

it.each([80, 100, 160])('fits a screen of 24 lines, %s columns wide, with compactions of every agent', (width) => {
  const agents = ['claude-code', 'codex', 'openclaw', 'pi', 'gemini-cli', 'opencode', 'other'] as const
  const [example] = createExampleReport().sessions
  const sessions = agents.map((agent) => createSession({ ...example, id: agent, agent }))
  const lines = render(createReport(sessions, { problems: createExampleReport().problems }), width)
  expect(lines.length).toBeLessThan(24)
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
})

it('prints what nobody knows as unknown, never as 0', () => {
  const compaction = createCompaction({ costUsd: null, cost: { summaryUsd: null, refetchUsd: null } })
  const lines = render(createReport([createSession({ compactions: [compaction] })]))
  const row = lines.find((line) => line.startsWith('Claude Code'))
  expect(row?.split(/\s{2,}/)).toEqual(['Claude Code', '1', '1', '31', '0', '0', 'unknown', 'unknown'])
})

it('a shared report names no loss', () => {
  const text = render(shareReport(createExampleReport())).join('\n')
  expect(text).not.toMatch(/TENANT|worst|Invoices/)
  expect(text).toContain('5 of them were')
})

it('shows hidden characters of a fact, and no secret', () => {
  const report = createExampleReport()
  const text = JSON.stringify(report).replaceAll('TENANT-4471-Q', String.raw`token=abcd1234efgh5678 \u202e\u001b[31mx`)
  const lines = render(JSON.parse(text) as AuditReport).join('\n')
  expect(lines).toContain('[redacted]')
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  expect(lines).not.toMatch(/[\u202E\u001B]|abcd1234/)
})
