import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { QUESTIONS, runExample } from './run-example.ts'

/** The README of a host's package shows `testing/readme-example.ts`, and that program works. */
export function describeReadme(name: string): void {
  it('shows a program that works', async () => {
    const home = join(import.meta.dirname, '../../hosts', name)
    const program = join(home, 'src/testing/readme-example.ts')
    const readme = await readFile(join(home, 'README.md'), 'utf8')
    const text = await readFile(program, 'utf8')
    expect(readme).toContain(text.replace("'../index.ts'", `'@longhaul/${name}'`))
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-readme-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    expect(await runExample({ name, program, folder })).toEqual(QUESTIONS)
  })
}
