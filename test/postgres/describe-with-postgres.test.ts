import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const project = join(import.meta.dirname, '../..')

/** The project as it is on a machine where no PostgreSQL starts, with one test that needs it. */
function createProject(): string {
  const root = mkdtempSync(join(tmpdir(), 'longhaul-test-'))
  onTestFinished(() => {
    rmSync(root, { recursive: true })
  })
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  for (const file of [
    'package.json',
    'vitest.config.ts',
    'scripts/closing-reporter.ts',
    'test/left-out.ts',
    'test/postgres/describe-with-postgres.ts',
    'test/postgres/find-binaries.ts',
    'test/postgres/global-setup.ts',
  ]) {
    cpSync(join(project, file), join(root, file))
  }
  writeFileSync(
    join(root, 'test/postgres/start-server.ts'),
    `export const startServer = () => Promise.reject(new Error('made up'))`,
  )
  writeFileSync(
    join(root, 'test/needs.test.ts'),
    `import { expect, it } from 'vitest'
    import { describeWithPostgres } from './postgres/describe-with-postgres.ts'
    describeWithPostgres('a store', ({ query }) => {
      it('asks', async () => expect(await query('select 1 as one')).toEqual([{ one: 1 }]))
    })`,
  )
  return root
}

function runTests(env: Readonly<Record<string, string>>): { lines: readonly string[]; status: number | null } {
  const root = createProject()
  const vitest = join(project, 'node_modules/vitest/vitest.mjs')
  const { stdout, status } = spawnSync(process.execPath, [vitest, 'run', '--root', root], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NO_COLOR: '1', ...env },
  })
  return { lines: stdout.trimEnd().split('\n'), status }
}

describe('tests that need PostgreSQL', () => {
  it('are left out where there is none, which fails the run in CI alone', () => {
    const onUserMachine = runTests({ CI: '' })
    expect(onUserMachine.lines.at(-2)).toContain('needs PostgreSQL: set DATABASE_URL, or put right: made up')
    expect(onUserMachine).toMatchObject({ status: 0 })
    expect(runTests({ CI: 'true' }).status).toBe(1)
  })

  it('fail where DATABASE_URL leads nowhere', () => {
    const { lines, status } = runTests({ CI: '', DATABASE_URL: 'postgres://user@127.0.0.1:1/nowhere' })
    expect(lines.at(-1)).toBe('0 passed, 1 failed')
    expect(status).toBe(1)
  })
})
