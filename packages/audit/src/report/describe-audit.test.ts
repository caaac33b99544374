import { describe, expect, it } from 'vitest'
import { createCompaction, createExampleReport, createReport, createSession } from '../testing/create-report.ts'
import { createTotals } from './create-totals.ts'
import { describeAudit } from './describe-audit.ts'

describe('an audit in words', () => {
  it('says how often agents compacted, what was lost, fetched again, and what that cost', () => {
    const { headline, advice, rows, notes } = describeAudit(createExampleReport())
    expect(headline).toBe(
      'In 4 sessions, Claude Code, Codex and pi compacted 4 times: a summary took the place of older messages. 66 facts from before were needed again; 5 of them were lost. 19.2k tokens of files and outputs that had been in view were fetched again. Summaries and fetching again cost at least $1.80.',
    )
    expect(advice).toBe(null)
    expect(rows.map(({ cure }) => [cure.name, cure.command])).toEqual([
      ['Claude Code', 'longhaul run claude'],
      ['Codex', 'longhaul run codex'],
      ['pi', 'pi install npm:@longhaul/pi'],
    ])
    expect(notes).toEqual(['1 compaction has no known price.', '1 file could not be read, or only in part.'])
  })

  it('puts first what a person had to say again, and takes two losses of a session before a third', () => {
    const { worst } = describeAudit(createExampleReport(), { worst: 3 })
    expect(worst.map(({ fact, session }) => [fact.text, session])).toEqual([
      ['TENANT-4471-Q', 0],
      ['Never send a mail from a test.', 0],
      ['src/importer/split-lines.ts', 1],
    ])
  })

  it('says plainly that nothing was found, and what to do', () => {
    const none = createReport([])
    expect(describeAudit(none).headline).toBe('No session of a coding agent was found on this machine.')
    expect(describeAudit(none).advice).toContain('longhaul audit PATH')
    expect(describeAudit(none, { since: '30d' }).advice).toContain('--since')
    expect(describeAudit(none, { paths: ['talks'] }).headline).toBe('There is no session in talks.')
  })

  it('says plainly that all files were unreadable', () => {
    const problems = [
      { path: 'a.jsonl', line: 1, reason: 'not JSON' },
      { path: 'b.jsonl', line: null, reason: 'empty' },
    ]
    const { headline, advice } = describeAudit(createReport([], { problems }))
    expect(headline).toBe('2 files were found, and none of them could be read as a session.')
    expect(advice).toContain('reason')
  })

  it('says plainly that nothing was ever compacted', () => {
    const { headline, advice, worst } = describeAudit(createReport([createSession()]))
    expect(headline).toBe('1 session of Claude Code was read. None was ever compacted, so nothing was forgotten.')
    expect(advice).toContain('longhaul replay')
    expect(worst).toEqual([])
  })

  it('tells no loss where there is none', () => {
    expect(describeAudit(createReport([createSession({ compactions: [createCompaction()] })])).headline).toBe(
      'In 1 session, Claude Code compacted once: a summary took the place of older messages. 31 facts from before were needed again, and none was lost. Summaries and fetching again cost $0.61.',
    )
  })
})

describe('totals', () => {
  it('a sum of figures that nobody knows is unknown, not 0', () => {
    const priceless = createCompaction({ costUsd: null, cost: { summaryUsd: null, refetchUsd: null } })
    const { costUsd, unpriced, byAgent } = createTotals([createSession({ compactions: [priceless, priceless] })])
    expect({ costUsd, unpriced }).toEqual({ costUsd: null, unpriced: 2 })
    expect(byAgent[0]).toMatchObject({ costUsd: null, unpriced: 2, refetchedTokens: 0, withLonghaul: null })
  })

  it('counts sub-agents apart, with their compactions', () => {
    const compactions = [createCompaction()]
    const {
      sessions,
      subAgents,
      compactions: count,
    } = createTotals([
      createSession({ compactions }),
      createSession({ id: 'sub', parentId: createSession().id, compactions }),
    ])
    expect({ sessions, subAgents, count }).toEqual({ sessions: 1, subAgents: 1, count: 2 })
  })

  it('compares with Longhaul only where every compacted session of the agent was replayed', () => {
    const withLonghaul = { lost: 1, refetchedTokensAtMost: 0, compactions: 1, costUsd: 0.2 }
    const replayed = createSession({ compactions: [createCompaction()], withLonghaul })
    const failed = createSession({ id: 'other', compactions: [createCompaction()] })
    expect(createTotals([replayed, createSession({ id: 'short' })]).byAgent[0]?.withLonghaul).toEqual({
      lost: 1,
      refetchedTokensAtMost: 0,
      costUsd: 0.2,
    })
    expect(createTotals([replayed, failed]).byAgent[0]?.withLonghaul).toBe(null)
  })
})
