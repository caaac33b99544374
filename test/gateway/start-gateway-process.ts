import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/longhaul.js')

export interface GatewayProcess {
  readonly url: string
  /** Everything that it wrote to stdout and stderr so far. */
  readonly output: () => string
  /** Ends it by this signal and waits for its end; the exit code. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<number | null>
}

export interface GatewayProcessOptions {
  readonly folder: string
  /** `gateway` or `serve`, with their options. */
  readonly words: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** The real program in a process of its own, once it is ready. Gone after the test. */
export async function startGatewayProcess({
  folder,
  words,
  environment = {},
}: GatewayProcessOptions): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [PROGRAM, ...words, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, LONGHAUL_DATA: folder, ...environment },
  })
  let output = ''
  const add = (text: string): void => void (output += text)
  child.stderr.setEncoding('utf8').on('data', add)
  child.stdout.setEncoding('utf8').on('data', add)
  const gone = once(child, 'close')
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>
  const ready = await Promise.race([line.then(([first]) => first), gone.then(() => null)])
  const url = /http:\/\/\S+$/.exec(ready ?? '')?.[0]
  if (url === undefined) throw new Error(`It is not ready: ${output}`)
  return {
    url,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      await gone
      return child.exitCode
    },
  }
}
