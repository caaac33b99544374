import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { HostOrder, HostProgramOptions, HostReport } from './host-program.ts'

export interface HostProcess {
  /** The id under which the store knows its conversation. */
  readonly id: string
  readonly order: (order: HostOrder) => Promise<HostReport>
  /** Lets it end by itself: it gives its session back. */
  readonly end: () => Promise<void>
}

/** Kept from run to run: without it, most of the time goes into reading the sources. */
const COMPILE_CACHE = join(tmpdir(), 'longhaul-test-compile-cache')

/** A host in a process of its own, on a store that others use at the same time. Gone after the test. */
export function startHost(options: HostProgramOptions): HostProcess {
  const program = join(import.meta.dirname, 'host-program.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  const gone = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  async function end(): Promise<void> {
    child.stdin.end()
    await gone
  }
  onTestFinished(end)
  return {
    id: `pi-${options.sessionId}`,
    async order(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`)
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`The host ended by itself: ${complaints}`)
      return JSON.parse(value) as HostReport
    },
    end,
  }
}
