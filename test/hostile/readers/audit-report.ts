import { createCompaction, createReport, createSession } from '@longhaul/audit/testing'
import type { AuditReport, Place } from '../../../packages/audit/src/report/audit-report.ts'
import { cleanReport, createCleaner } from '../../../packages/audit/src/report/clean-report.ts'
import { describeAudit } from '../../../packages/audit/src/report/describe-audit.ts'
import { findWorstLosses } from '../../../packages/audit/src/report/find-worst-losses.ts'
import { createAuditPage } from '../../../packages/audit/src/report/html/create-audit-page.ts'
import { escapeMarkup, quote } from '../../../packages/audit/src/report/html/markup.ts'
import { shareReport } from '../../../packages/audit/src/report/share-report.ts'
import { renderAudit } from '../../../packages/cli/src/cards/render-audit.ts'
import { createPaint } from '../../../packages/cli/src/terminal/paint.ts'
import type { ReaderTable } from './materials.ts'

const HOME = '/home/ada'

/** The functions of the audit that report on sessions; the tests feed them hostile text. */
export const AUDIT_REPORT: ReaderTable = {
  'audit/src/report/clean-report.ts': {
    createCleaner: (text) => createCleaner(HOME)(text),
    cleanReport: (text) => cleanReport(report(text), HOME),
  },
  'audit/src/report/describe-audit.ts': { describeAudit: (text) => describeAudit(report(text)) },
  'audit/src/report/find-worst-losses.ts': { findWorstLosses: (text) => findWorstLosses(report(text).sessions, 5) },
  'audit/src/report/share-report.ts': { shareReport: (text) => shareReport(report(text)) },
  'audit/src/report/html/markup.ts': { escapeMarkup, quote },
  'audit/src/report/html/create-audit-page.ts': {
    createAuditPage: (text) => createAuditPage(report(text), { home: HOME, now: 0 }),
  },
  'cli/src/cards/render-audit.ts': {
    renderAudit: (text) => renderAudit(report(text), { home: HOME, width: 80, paint: createPaint(false) }),
  },
}

/** The text stands in each place of a session that can hold one. */
function report(text: string): AuditReport {
  const place: Place = { entryId: text, message: 1, at: 0, by: 'tool', excerpt: text }
  const compaction = createCompaction({
    trigger: text,
    lost: [{ kind: text, text, saidAt: place, neededAt: place }],
    refetched: [{ path: text, command: text, tokens: 1, tokensSource: 'measured', at: place }],
  })
  const session = createSession({ id: text, title: text, path: text, model: text, compactions: [compaction] })
  return createReport([session], { problems: [{ path: text, line: 1, reason: text }] })
}
