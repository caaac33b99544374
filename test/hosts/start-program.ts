import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { HostReply, HostSetup, HostUnderTest, RunningHost } from './host-under-test.ts'

/** Runs a program in which a library is the host: one line of JSON in for each message, one out for each reply. */
export function startProgram(file: URL): HostUnderTest['start'] {
  return async (setup) => talkTo(file, setup)
}

async function talkTo(file: URL, setup: HostSetup): Promise<RunningHost> {
  const child = spawn(process.execPath, [file.pathname, JSON.stringify(setup)], { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let complaints = ''
  child.stderr.on('data', (data: Buffer) => void (complaints = (complaints + data.toString()).slice(-4_000)))
  return {
    async say(text) {
      child.stdin.write(`${JSON.stringify({ text })}\n`)
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`The program ended: ${complaints}`)
      return JSON.parse(value) as HostReply
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
