import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { SlowServerOptions } from './slow-server.ts'

export interface SlowServer {
  readonly url: string
  /** Resolves when the process is gone, with its exit code; null: it was killed. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

/** Kept from run to run: without it, most of the time goes into reading the sources. */
const COMPILE_CACHE = join(tmpdir(), 'longhaul-test-compile-cache')

export async function startSlowServer(options: SlowServerOptions): Promise<SlowServer> {
  const program = join(import.meta.dirname, 'slow-server.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: options.folder, NODE_COMPILE_CACHE: COMPILE_CACHE },
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const gone = once(child, 'close')
  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    child.kill(signal)
    await gone
    return child.exitCode
  }
  onTestFinished(() => void end('SIGKILL'))
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>
  const [url] = await Promise.race([
    line,
    gone.then(() => Promise.reject(new Error(`The server ended by itself: ${complaints}`))),
  ])
  return { url, end }
}
