import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { QUESTIONS, runExample } from './run-example.ts'

/** The README of a host's package shows this program, and it works. */
export function describeReadme(name: string, { pathname: program }: URL): void {
  it('shows a program that works', async () => {
    const readme = await readFile(join(import.meta.dirname, '../../hosts', name, 'README.md'), 'utf8')
    const text = await readFile(program, 'utf8')
    expect(readme).toContain(text.replace("'../index.ts'", `'@longhaul/${name}'`))
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-readme-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    expect(await runExample({ name, program, folder })).toEqual(QUESTIONS)
  })
}
