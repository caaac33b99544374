import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../../bin/longhaul.js')

export interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  /** Everything lies in here. */
  readonly folder: string
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** The real program as a child process, without any key of whoever runs the tests. */
export function spawnCli(
  words: readonly string[],
  { folder, environment = {} }: CliOptions,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env['PATH'], HOME: folder, LONGHAUL_DATA: folder, ...environment },
  })
}

/** The same, to its end. */
export async function runCli(words: readonly string[], { input, ...options }: CliOptions): Promise<CliRun> {
  const child = spawnCli(words, options)
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

/** What a command prints with `--json`, read back. Nothing but JSON may be on stdout. */
export async function runJson(words: readonly string[], options: CliOptions): Promise<unknown> {
  const { code, stdout, stderr } = await runCli([...words, '--json'], options)
  if (code !== 0) throw new Error(`longhaul ${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
