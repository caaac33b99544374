import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { isReport } from './report.ts'
import type { Report } from './report.ts'

/** A process of our own that works on a store and tells what it did, one report a line. */
export interface Program {
  readonly pid: number
  /** Resolves when it has sent so many reports since it was started; rejects if it ends before. */
  hear(reports: number): Promise<void>
  /** Asks it to finish what it is at and end. */
  stop(): Promise<void>
  /** SIGKILL. Resolves when it is gone and all that it had told has arrived. */
  kill(): Promise<void>
}

export interface ProgramOptions {
  /** A TypeScript file, run by Node as it is. */
  readonly file: string
  readonly argument: unknown
  /** What it throws is thrown again by `stop` and `kill`. */
  readonly onReport: (report: Report) => void
  /** A program that runs this one, with its arguments. */
  readonly under?: readonly string[]
}

/** Kept from run to run: without it, most of the time of a short life goes into reading the sources. */
const COMPILE_CACHE = join(tmpdir(), 'longhaul-test-compile-cache')

export function startProgram({ file, argument, onReport, under = [] }: ProgramOptions): Program {
  const [command, ...args] = [...under, process.execPath, file, JSON.stringify(argument)] as const
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  })
  let complaints = ''
  let heard = 0
  let objection: unknown = null
  const listeners = new Set<() => void>()
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  child.stdin.on('error', () => {})
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    const report = readReport(line)
    if (report === null) return
    try {
      onReport(report)
    } catch (error) {
      objection ??= error
    }
    heard += 1
    for (const listener of listeners) listener()
  })
  // Emitted when it is gone and its output was read to the end.
  const closed = once(child, 'close')

  return {
    pid: child.pid ?? 0,
    async hear(reports) {
      const enough = Promise.withResolvers<void>()
      const listener = () => heard >= reports && enough.resolve()
      listeners.add(listener)
      listener()
      const gone = closed.then(() => Promise.reject(new Error(`${file} ended by itself: ${complaints}`)))
      await Promise.race([enough.promise, gone]).finally(() => listeners.delete(listener))
    },
    async stop() {
      child.stdin.end()
      await closed
      if (child.exitCode !== 0) throw new Error(`${file} failed: ${complaints}`)
      if (objection !== null) throw objection
    },
    async kill() {
      child.kill('SIGKILL')
      await closed
      if (child.exitCode !== null) throw new Error(`${file} ended by itself: ${complaints}`)
      if (objection !== null) throw objection
    },
  }
}

/** null: half a line, the last words of a process that was killed while it spoke. */
function readReport(line: string): Report | null {
  try {
    const value: unknown = JSON.parse(line)
    return isReport(value) ? value : null
  } catch {
    return null
  }
}
