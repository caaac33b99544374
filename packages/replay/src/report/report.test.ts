import { describe, expect, it } from 'vitest'
import { createPresetPolicy } from '../carriers/longhaul-policy.ts'
import { PEERS, createPeerPolicy } from '../peers/peers.ts'
import { replay } from '../run/replay.ts'
import type { ReplayReport } from '../run/replay.ts'
import { buildSession } from '../testing/build-session.ts'
import { createTables } from './create-tables.ts'
import { checkFrontier, findFrontier } from './frontier.ts'
import { createPage } from './html/create-page.ts'
import { summarisePolicies } from './policy-summary.ts'
import { renderTable } from './table.ts'

const countTokens = (text: string): number => Math.ceil(text.length / 4)
const policies = [createPresetPolicy('longhaul'), ...PEERS.map(createPeerPolicy)]

const reports = new Map<string, Promise<ReplayReport>>()

/** Made once a title: tests only read it. */
function run(title = 'a session'): Promise<ReplayReport> {
  const known = reports.get(title) ?? createReport(title)
  reports.set(title, known)
  return known
}

function createReport(title: string): Promise<ReplayReport> {
  const built = buildSession({ turns: 16, stepsPerTurn: 4, resultChars: 8_000 })
  const session = { ...built, session: { ...built.session, title } }
  return replay([session], policies, {
    countTokens,
    windowTokens: 40_000,
    questions: [{ question: 'Which option was kept in turn 3?', answer: 'option 3' }],
  })
}

describe('the report', () => {
  it('prints every policy, who wrote the summaries, and where each peer comes from', async () => {
    const text = createTables(await run())
      .map(renderTable)
      .join('\n')
    for (const { name } of policies) expect(text).toContain(name)
    for (const { source } of PEERS) expect(text).toContain(source)
    expect(text).toContain('the same code for every policy')
    expect(text).toContain('recall@5')
  })

  it('is plain JSON that says the same after a round trip', async () => {
    const report = await run()
    expect(JSON.parse(JSON.stringify(report))).toStrictEqual(report)
    const [first] = report.runs
    expect(Object.keys(first?.requests[0] ?? {})).toEqual(
      expect.arrayContaining([
        'message',
        'at',
        'tokens',
        'cacheRead',
        'cacheWrite',
        'cacheMiss',
        'costUsd',
        'events',
        'layers',
      ]),
    )
    expect(first?.retention.questions?.inContext.of).toBe(1)
  })

  it('finds who is beaten by whom', async () => {
    const summaries = summarisePolicies((await run()).runs)
    const points = findFrontier(summaries)
    for (const { costUsd, keptShare, beatenBy } of points) {
      for (const other of points.filter(({ name }) => beatenBy.includes(name))) {
        expect(other.costUsd).toBeLessThan(costUsd)
        expect(other.keptShare).toBeGreaterThan(keptShare)
      }
    }
    expect(points.some(({ beatenBy }) => beatenBy.length === 0)).toBe(true)
    expect(checkFrontier('longhaul', summaries).isHeld).not.toBeNull()
    expect(checkFrontier('nobody', summaries).isHeld).toBeNull()
  })
})

describe('the page', () => {
  it('lets no word of a transcript become markup or script', async () => {
    const attack = '</script><script>alert(1)</script><img src=x onerror=alert(1)> <!-- \u2028'
    const page = createPage(await run(attack))
    expect(page).not.toContain(attack)
    expect(page.match(/<script/g)).toHaveLength(2)
    expect(page).not.toContain('<img')
    const [, json = ''] = /id="data">(.*?)<\/script>/s.exec(page) ?? []
    expect((JSON.parse(json) as { conversations: { name: string }[] }).conversations[0]?.name).toBe(attack)
  })

  it('loads nothing and may load nothing', async () => {
    const page = createPage(await run())
    expect(page).toContain("default-src 'none'")
    expect(page).not.toMatch(/(?:src|href)\s*=\s*["']?(?:https?:)?\/\//)
    const script = page.slice(page.lastIndexOf('<script'), page.lastIndexOf('</script>'))
    expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(/)
  })
})
