import { spawn } from 'node:child_process'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import type { Tool, ToolOutcome } from '../port/tool.ts'

export interface CommandOptions {
  readonly folder: string
  /** What the command sees; keys of providers are not in it. */
  readonly environment: Readonly<Record<string, string>>
}

const DEFAULT_TIMEOUT_MS = 60_000
/** More output than this is dropped while it runs, so that nothing fills the memory. */
const MAX_OUTPUT_BYTES = 5_000_000
const KILL_AFTER_MS = 2_000

export function createRunCommandTool({ folder, environment }: CommandOptions): Tool {
  return defineTool({
    name: 'run_command',
    description: 'Runs a shell command in the workspace and answers its output and exit code.',
    input: z.object({ command: z.string().min(1), timeoutMs: z.int().min(100).max(600_000).optional() }),
    permit: ({ command }) => ({ verdict: 'ask', reason: `Run: ${command}` }),
    // It ends itself, and tells what had come by then; the agent would only cut it off.
    timeLimitMs: ({ timeoutMs = DEFAULT_TIMEOUT_MS }) => timeoutMs + 2 * KILL_AFTER_MS,
    run: ({ command, timeoutMs = DEFAULT_TIMEOUT_MS }, { signal }) =>
      runShell(command, { folder, environment, timeoutMs, signal }),
  })
}

interface ShellRun extends CommandOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

function runShell(command: string, { folder, environment, timeoutMs, signal }: ShellRun): Promise<ToolOutcome> {
  return new Promise((resolve) => {
    // A group of its own, so that what the command started ends with it.
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const chunks: Buffer[] = []
    let bytes = 0
    let stopped: string | null = null
    const collect = (chunk: Buffer): void => {
      if (bytes < MAX_OUTPUT_BYTES) chunks.push(chunk)
      bytes += chunk.length
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    const stop = (why: string): void => {
      stopped ??= why
      endGroup(child.pid, 'SIGTERM')
      killer ??= setTimeout(() => endGroup(child.pid, 'SIGKILL'), KILL_AFTER_MS)
    }
    let killer: NodeJS.Timeout | undefined
    const timer = setTimeout(() => stop(`stopped after ${timeoutMs} ms`), timeoutMs)
    const cancel = (): void => stop('stopped: cancelled')
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel, { once: true })

    const end = (status: string, isError: boolean): void => {
      clearTimeout(timer)
      clearTimeout(killer)
      signal.removeEventListener('abort', cancel)
      const text = Buffer.concat(chunks).toString('utf8').slice(0, MAX_OUTPUT_BYTES)
      const dropped = bytes > MAX_OUTPUT_BYTES ? `\n[... ${bytes - MAX_OUTPUT_BYTES} more bytes of output ...]` : ''
      resolve({ output: `${text}${dropped}${text === '' || text.endsWith('\n') ? '' : '\n'}[${status}]`, isError })
    }
    child.once('error', (error) => end(`could not start: ${error.message}`, true))
    child.once('close', (code, killedBy) => {
      const status = stopped ?? (killedBy === null ? `exit code ${code}` : `ended by ${killedBy}`)
      end(status, stopped !== null || code !== 0)
    })
  })
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended by itself.
  }
}
