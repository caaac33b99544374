import { link, mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditReport } from '@longhaul/audit'
import { writeClaudeCodeSession } from '@longhaul/audit/testing'
import { describe, expect, it } from 'vitest'
import { createFolder, runCli, runJson, spawnCli } from '../testing/run-cli.ts'

/** On a slow machine it also tells how far it is. */
const withoutProgress = (told: string): string => told.replaceAll(/^Percent read: .*\n/gm, '')

describe('longhaul audit', () => {
  it('names the code that a compaction lost and a person needed again, and not the port that it kept', async () => {
    const folder = await createFolder()
    const { lost, told, readAgain } = await writeClaudeCodeSession(folder)
    const { code, stdout, stderr } = await runCli(['audit'], { folder })
    expect({ code, told: withoutProgress(stderr) }).toEqual({ code: 0, told: '1 session read\n' })
    expect(stdout).toMatch(/^In 1 session, Claude Code compacted once: /)
    expect(stdout).toMatch(new RegExp(`\n${lost} +code +you +33 `))
    expect(stdout).toContain('longhaul run claude')
    expect(stdout).not.toContain(told)

    const report = (await runJson(['audit'], { folder })) as AuditReport
    const [compaction, ...others] = report.sessions.flatMap(({ compactions }) => compactions)
    expect(others).toEqual([])
    expect(compaction?.lost.map(({ text }) => text)).toContain(lost)
    expect(compaction?.lost.map(({ text }) => text)).not.toContain(told)
    expect(compaction?.refetched).toMatchObject([{ path: readAgain, command: null }])
    expect(compaction?.refetched[0]?.tokens).toBeGreaterThan(1_000)
    expect(compaction?.costUsd).toBeGreaterThan(0)
  })

  it('writes a page of everything, and one of counts alone', async () => {
    const folder = await createFolder()
    const { lost } = await writeClaudeCodeSession(folder)
    const [whole, shared] = [join(folder, 'whole.html'), join(folder, 'shared.html')]
    const first = await runCli(['audit', '--html', whole], { folder })
    expect(first.code).toBe(0)
    expect(withoutProgress(first.stderr)).toBe(`1 session read\nThe page is ${whole}\n`)
    expect(await readFile(whole, 'utf8')).toContain(lost)
    const second = await runCli(['audit', '--html', shared, '--share', '--json'], { folder })
    expect(JSON.parse(second.stdout)).toMatchObject({ totals: { compactions: 1 }, html: shared })
    for (const text of [second.stdout, await readFile(shared, 'utf8')])
      expect(text).not.toMatch(/TENANT|dunning|7c1f6a52/)
  })

  it('says that nothing is there, and what to do', async () => {
    const folder = await createFolder()
    const { code, stdout } = await runCli(['audit'], { folder })
    expect({ code, stdout }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stdout": "No session of a coding agent was found on this machine.

      Longhaul looked where Claude Code, Codex, OpenClaw, pi, Gemini CLI and opencode keep theirs. If yours lie elsewhere, name the folder: longhaul audit PATH.
      ",
      }
    `)
  })

  it('leaves out sessions before --since', async () => {
    const folder = await createFolder()
    const { path } = await writeClaudeCodeSession(folder)
    await utimes(path, new Date('2026-01-01'), new Date('2026-01-01'))
    const { stdout } = await runCli(['audit', '--since', '7d'], { folder })
    expect(stdout).toMatch(/^No session of the last 7d of a coding agent was found/)
  })

  it('names what is no session, reads the rest, and ends with 1 where the user had named it', async () => {
    const folder = await createFolder()
    const { path, lost } = await writeClaudeCodeSession(folder)
    await writeFile(join(folder, 'foreign.jsonl'), '{ "no": "session" }\n')
    const { code, stdout, stderr } = await runCli(['audit', path, join(folder, 'foreign.jsonl'), '/nowhere'], {
      folder,
    })
    expect(code).toBe(1)
    expect(stdout).toContain(lost)
    expect(stderr).toContain('/nowhere: there is no such file or folder\n')
    expect(stderr).toContain(join(folder, 'foreign.jsonl'))
  })

  it('says plainly that nothing could be read', async () => {
    const folder = await createFolder()
    const file = join(folder, 'broken.jsonl')
    await writeFile(file, 'not a line of JSON\n')
    const one = await runCli(['audit', file], { folder })
    expect(one.code).toBe(1)
    expect(one.stdout).toMatch(/^One file was found, and it could not be read as a session\./)
    expect(one.stderr).toContain(`${file}: in no format that is known\n`)
    const all = await runCli(['audit', folder], { folder })
    expect(all.code).toBe(1)
    expect(all.stdout).toMatch(/^There is no session in /)
  })

  it.each([
    { words: ['--since', 'yesterday'], code: 2, says: /30d/ },
    { words: ['--window', 'large'], code: 2, says: /number of tokens/ },
    { words: ['/nowhere'], code: 1, says: /nothing to audit/ },
    { words: ['--html', '/nowhere/page.html'], code: 1, says: /cannot be written: there is no folder \/nowhere/ },
    { words: ['--html', '/tmp'], code: 1, says: /\/tmp is a folder/ },
  ])('ends with $code and plain words for $words', async ({ words, code, says }) => {
    const run = await runCli(['audit', ...words], { folder: await createFolder() })
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: '' })
    expect(run.stderr).toMatch(says)
    expect(run.stderr).not.toMatch(/^ +at /m)
  })

  it('ends at Ctrl-C with one line and without a page', async () => {
    const folder = await createFolder()
    const { path } = await writeClaudeCodeSession(folder)
    const text = await readFile(path, 'utf8')
    await mkdir(join(folder, 'many'))
    const long = join(folder, 'many/0.jsonl')
    await writeFile(long, text.repeat(20))
    for (let file = 1; file < 1_000; file += 1) await link(long, join(folder, `many/${file}.jsonl`))
    const page = join(folder, 'page.html')
    const child = spawnCli(['audit', join(folder, 'many'), '--html', page], { folder })
    let told = ''
    child.stderr.on('data', (piece: Buffer) => {
      if (told === '') child.kill('SIGINT')
      told += piece.toString()
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect({ code, told: withoutProgress(told) }).toEqual({
      code: 1,
      told: 'It was not finished.\nlonghaul: Stopped. Nothing was written.\n',
    })
    await expect(readFile(page)).rejects.toThrow('ENOENT')
  })
})
