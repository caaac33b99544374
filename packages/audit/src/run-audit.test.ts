import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runAudit } from './run-audit.ts'
import { createClaudeCodeLines, createCodexLines, createPiLines, toJsonl } from './testing/session-files.ts'

async function makeHome(files: Readonly<Record<string, string>>): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'longhaul-audit-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  return home
}

const NEVER = new AbortController().signal
const CLAUDE = '.claude/projects/-home-ada-shop/one.jsonl'

test('22 a code that the summary dropped is told with the place where it was needed, and a file that was read again', async () => {
  const home = await makeHome({ [CLAUDE]: toJsonl(createClaudeCodeLines()) })
  const report = await runAudit({ home, env: {}, paths: [], signal: NEVER })
  expect(report.problems).toEqual([])
  expect(report.sessions).toMatchObject([
    {
      agent: 'claude-code',
      path: join(home, CLAUDE),
      model: 'anthropic/claude-sonnet-4-5',
      compactions: [{ trigger: 'auto', tokensBefore: 167_000, tokensAfter: 9_000, tokensSource: 'recorded' }],
    },
  ])
  const [compaction] = report.sessions[0]?.compactions ?? []
  expect(compaction?.lost).toMatchObject([{ text: 'TNT-4471-KX', neededAt: { entryId: 'u2', by: 'user' } }])
  expect(compaction?.refetched).toMatchObject([
    { path: expect.stringContaining('checkout.ts'), tokens: expect.any(Number) },
  ])
  expect(compaction?.costUsd).toBeGreaterThan(0)
  expect(report.totals).toMatchObject({ sessions: 1, compactions: 1, lost: 1, refetched: 1 })
})

test('22 sessions stand in the order of agents and files, however many threads read them', async () => {
  const files = Object.fromEntries([
    ...Array.from({ length: 5 }, (_, n) => [`.claude/projects/p/${n}.jsonl`, toJsonl(createClaudeCodeLines(`c-${n}`))]),
    ['.codex/sessions/rollout-1.jsonl', toJsonl(createCodexLines())],
    ['.pi/agent/sessions/p/1.jsonl', toJsonl(createPiLines())],
  ])
  const home = await makeHome(files)
  const shares: number[] = []
  const onProgress = (share: number): void => void shares.push(share)
  const one = await runAudit({ home, env: {}, paths: [], workers: 1, signal: NEVER })
  const three = await runAudit({ home, env: {}, paths: [], workers: 3, onProgress, signal: NEVER })
  expect(three).toEqual(one)
  expect(one.sessions.map(({ id }) => id)).toEqual(['c-0', 'c-1', 'c-2', 'c-3', 'c-4', '0199-codex', 'pi-1'])
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.at(-1)).toBe(1)
})

test('22 files that are damaged, cut, foreign or far too long are named, and the others are read', async () => {
  const whole = toJsonl(createClaudeCodeLines())
  const home = await makeHome({
    [CLAUDE]: whole,
    '.claude/projects/p/cut.jsonl': whole.slice(0, 400),
    '.claude/projects/p/foreign.jsonl': 'this is no session\n'.repeat(3),
    '.gemini/tmp/f/chats/session-1.json': '{',
  })
  await truncate(join(home, '.gemini/tmp/f/chats/session-1.json'), 200 * 1024 * 1024)
  const report = await runAudit({ home, env: {}, paths: [], signal: NEVER })
  expect(report.sessions.map(({ path }) => path)).toContain(join(home, CLAUDE))
  const told = report.problems.map(({ path, line, reason }) => `${path.slice(home.length + 1)} ${line} ${reason}`)
  expect(told).toContain('.claude/projects/p/cut.jsonl 2 not JSON')
  expect(told).toContain('.claude/projects/p/foreign.jsonl 1 not JSON')
  expect(told).toContain('.gemini/tmp/f/chats/session-1.json null one document of more than 128 MB')
})

test('22 an audit that is stopped ends at once, and leaves no thread', async () => {
  const lines = createClaudeCodeLines()
  const long = toJsonl(Array.from({ length: 2_000 }, () => lines).flat())
  const home = await makeHome({ [CLAUDE]: long, '.claude/projects/p/2.jsonl': long })
  const stop = new AbortController()
  const audit = runAudit({ home, env: {}, paths: [], signal: stop.signal, onProgress: () => stop.abort() })
  await expect(audit).rejects.toThrow(/abort/i)
  expect(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker')).toEqual([])
})

test('22 nothing to audit is a report of nothing', async () => {
  const home = await makeHome({})
  const { sessions, problems, totals } = await runAudit({ home, env: {}, paths: [], signal: NEVER })
  expect({ sessions, problems, count: totals.sessions }).toEqual({ sessions: [], problems: [], count: 0 })
})
