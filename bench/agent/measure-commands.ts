import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { createCommandRunner } from '@longhaul/tools'

/** Medians of milliseconds, side by side with a bare shell that this process starts itself. */
export interface CommandLatency {
  readonly boundary: string
  /** Until the command itself runs. */
  readonly bareStartMs: number
  readonly startMs: number
  /** Until its answer is there. */
  readonly bareMs: number
  readonly totalMs: number
}

/** The command tells when it runs. */
const COMMAND = 'date +%s%N'
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '' }

/** With the boundary that this machine offers, and without one. */
export async function measureCommands(folder: string, runs: number): Promise<readonly CommandLatency[]> {
  return [await measure(folder, runs, 'auto'), await measure(folder, runs, 'none')]
}

async function measure(folder: string, runs: number, sandbox: 'auto' | 'none'): Promise<CommandLatency> {
  const runner = createCommandRunner({ folder, environment: ENVIRONMENT, sandbox })
  const { signal } = new AbortController()
  const chosen = await runner.boundary()
  const viaRunner = async (): Promise<string> =>
    String((await runner.run(COMMAND, { timeoutMs: 10_000, signal })).output)
  // The first one starts the process that commands run under, as a question to the user does.
  await viaRunner()
  const [bare, through]: [Sample[], Sample[]] = [[], []]
  for (let run = 0; run < runs; run += 1) {
    bare.push(await time(() => runBare(folder)))
    through.push(await time(viaRunner))
  }
  await runner.close()
  return {
    boundary: 'boundary' in chosen ? chosen.boundary.name : chosen.problem,
    bareStartMs: median(bare.map(({ startMs }) => startMs)),
    startMs: median(through.map(({ startMs }) => startMs)),
    bareMs: median(bare.map(({ totalMs }) => totalMs)),
    totalMs: median(through.map(({ totalMs }) => totalMs)),
  }
}

interface Sample {
  readonly startMs: number
  readonly totalMs: number
}

async function time(run: () => Promise<string>): Promise<Sample> {
  const begin = performance.timeOrigin + performance.now()
  const startedAt = Number.parseInt(await run(), 10) / 1_000_000
  return { startMs: startedAt - begin, totalMs: performance.timeOrigin + performance.now() - begin }
}

async function runBare(folder: string): Promise<string> {
  const child = spawn('/bin/sh', ['-c', COMMAND], {
    cwd: folder,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  return text(child.stdout)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
