import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '@longhaul/protocol'
import type { Client, SessionEvent } from '@longhaul/protocol'
import { onTestFinished } from 'vitest'
import type { ObedientServerOptions } from './obedient-server.ts'

export interface ToldCall {
  readonly name: string
  readonly input: Readonly<Record<string, string>>
}

export interface ObedientServer {
  readonly url: string
  readonly client: Client
  /** A new session whose model makes these calls, all in one answer; resolves once the message is stored. */
  readonly order: (calls: readonly ToldCall[]) => Promise<Turn>
  /** The whole system text, as a model of a new session was sent it. */
  readonly readSystemText: () => Promise<string>
  /** As the person in front of the screen. */
  readonly answer: (sessionId: string, callId: string, allow: boolean) => void
  readonly logged: () => string
  /** The most memory that the process has ever had, in bytes. */
  readonly readPeakBytes: () => Promise<number>
  /** Resolves with the exit code when the process is gone; null: it was killed. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<number | null>
}

interface Turn {
  readonly sessionId: string
  /** Reads on until an event for which this holds, that one included. Rejects after a while. */
  readonly until: (
    isLast: (event: SessionEvent, seen: readonly SessionEvent[]) => boolean,
  ) => Promise<readonly SessionEvent[]>
}

/** Kept from run to run: without it, most of the time goes into reading the sources. */
const COMPILE_CACHE = join(tmpdir(), 'longhaul-test-compile-cache')
/** Far more than anything here takes on a busy machine: what has not come by then is stuck. */
const STUCK_AFTER_MS = 20_000

/** An empty workspace, and a folder beside it that nothing may be read from or written to; both are gone after the test. */
export async function createHostileFolders(): Promise<{ folder: string; workspace: string; outside: string }> {
  const top = await mkdtemp(join(tmpdir(), 'longhaul-hostile-files-'))
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  const [folder, outside] = [join(top, 'data'), join(top, 'outside')]
  const workspace = join(folder, 'workspace')
  await mkdir(workspace, { recursive: true })
  await mkdir(outside)
  return { folder, workspace, outside }
}

export async function startObedientServer(
  folder: string,
  places: Omit<ObedientServerOptions, 'folder'> = {},
): Promise<ObedientServer> {
  const program = join(import.meta.dirname, 'obedient-server.ts')
  const options: ObedientServerOptions = { folder, ...places }
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, NODE_COMPILE_CACHE: COMPILE_CACHE },
  })
  let logged = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (logged += text))
  const gone = once(child, 'close')
  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    child.kill(signal)
    await within(gone, `the end after ${signal}`)
    return child.exitCode
  }
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>
  const failed = gone.then(() => Promise.reject(new Error(`The server ended by itself: ${logged}`)))
  failed.catch(() => undefined)
  const [url] = await Promise.race([line, failed])
  const client = createClient({ baseUrl: url })

  async function say(text: string): Promise<Turn> {
    const { id: sessionId } = await within(client.createSession({ title: 'named' }), 'a new session')
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const events = client.follow(sessionId, { after: '0', signal: leaving.signal })
    await within(client.sendMessage(sessionId, { text, id: 'm1' }), 'the message to be stored')
    const seen: SessionEvent[] = []
    const until: Turn['until'] = (isLast) =>
      within(
        (async () => {
          for (;;) {
            const { value, done } = await events.next()
            if (done === true) return seen
            seen.push(value.event)
            if (isLast(value.event, seen)) return seen
          }
        })(),
        () => `an event after: ${seen.map(({ type }) => type).join(', ')}`,
      )
    return { sessionId, until }
  }

  return {
    url,
    client,
    order: (calls) => say(JSON.stringify({ calls })),
    async readSystemText() {
      const events = await (await say('What is your system text?')).until(({ type }) => type === 'response-complete')
      const last = events.at(-1)
      return last?.type === 'response-complete' ? last.text : ''
    },
    answer: (sessionId, callId, allow) => void child.stdin.write(`${JSON.stringify({ sessionId, callId, allow })}\n`),
    logged: () => logged,
    async readPeakBytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1_024
    },
    end,
  }
}

/** Rejects where it takes so long that something must be stuck. */
export async function within<T>(promise: Promise<T>, what: string | (() => string)): Promise<T> {
  const stuck = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    stuck.reject(new Error(`Stuck: waited in vain for ${typeof what === 'string' ? what : what()}`))
  }, STUCK_AFTER_MS)
  try {
    return await Promise.race([promise, stuck.promise])
  } finally {
    clearTimeout(timer)
  }
}
