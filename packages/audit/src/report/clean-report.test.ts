import { describe, expect, it } from 'vitest'
import { createExampleReport } from '../testing/create-report.ts'
import { createCleaner } from './clean-report.ts'
import { describeAudit } from './describe-audit.ts'
import { createAuditPage } from './html/create-audit-page.ts'
import { shareReport } from './share-report.ts'

const HOME = '/home/ada'
const now = Date.UTC(2026, 10, 19)

describe('what others may see', () => {
  it.each([
    ['/home/ada/work/a.ts', '~/work/a.ts'],
    ['see "/home/ada".', 'see "~".'],
    ['/home/ada2/b.ts', '~/b.ts'],
    ['/Users/grace/c.ts', '~/c.ts'],
    [String.raw`C:\Users\grace\c.ts`, String.raw`~\c.ts`],
    ['~/.claude/projects/-home-ada-work/x.jsonl', '~/.claude/projects/-~-work/x.jsonl'],
    ['/mnt/home/grace/x', '/mnt~/x'],
    ['token = "abcd1234efgh5678"', 'token = [redacted]'],
  ])('%s becomes %s', (text, cleaned) => {
    expect(createCleaner(HOME)(text)).toBe(cleaned)
  })

  it('knows a home that lies elsewhere, and not within longer names', () => {
    const clean = createCleaner('/root/')
    expect([clean('/root/a'), clean('/rooted/a'), clean('-root-work')]).toEqual(['~/a', '/rooted/a', '-~-work'])
  })

  it('the page holds no secret and no home folder, loads nothing and runs nothing', () => {
    const page = createAuditPage(createExampleReport(), { home: HOME, now })
    expect(page).not.toMatch(/sk-ant|home.ada|<script|<link|src=|@import|url\(/)
    expect(page).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`,
    )
    for (const words of ['TENANT-4471-Q', 'by you, message 212', '[redacted]', '~/work/billing/src/dunning.ts'])
      expect(page).toContain(words)
  })

  it('shows words of a session as text, whatever they are', () => {
    const report = createExampleReport()
    const [first, ...rest] = report.sessions
    if (first === undefined) throw new Error('The example has sessions.')
    const title = '<img src=x onerror=alert(1)>"\u202E'
    const page = createAuditPage({ ...report, sessions: [{ ...first, title }, ...rest] }, { home: HOME, now })
    expect(page).not.toContain('<img')
    expect(page).not.toContain('\u202E')
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;')
  })

  it('a shared report has counts, kinds and agents, and not one text of the sessions', () => {
    const report = createExampleReport()
    const texts = report.sessions.flatMap(({ id, path, title, model, compactions }) => [
      id,
      path,
      title,
      model,
      ...compactions.flatMap(({ lost, refetched }) => [
        ...lost.flatMap(({ text, saidAt, neededAt }) => [text, saidAt.excerpt, neededAt.excerpt, saidAt.entryId]),
        ...refetched.map((each) => each.path),
      ]),
    ])
    const files = ['/home/ada/a', '/home/ada/a', '/home/ada/b'].map((path) => ({
      path,
      line: 1,
      reason: `${path} is cut`,
    }))
    const shared = shareReport({ ...report, problems: files })
    expect(describeAudit(shared).notes).toContain('2 files could not be read, or only in part.')
    const json = JSON.stringify(shared)
    const page = createAuditPage(shared, { home: HOME, now })
    for (const text of texts) {
      if (text === null) continue
      expect(json).not.toContain(JSON.stringify(text))
      expect(page).not.toContain(text)
    }
    expect(shared.totals).toEqual(report.totals)
    expect(page).toContain('5 of them were lost')
    expect(page).toContain('quote')
  })
})
