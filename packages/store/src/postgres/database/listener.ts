import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { ClientConfig } from 'pg'
import type { Database } from './database.ts'

export interface ListenerOptions {
  readonly database: Database
  /** Its own connection, past a pooler: one that hands connections around delivers no notices. */
  readonly config: ClientConfig
  readonly channel: string
  readonly onNotice: (notice: string) => void
  /** Notices may have been missed: anything could have changed. */
  readonly onGap: () => void
}

export interface Listener {
  start(): void
  /** Resolves when its connection has ended. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 1_000
/** Without an answer for this long, a connection is thought dead, whatever TCP still hopes for. */
const ANSWER_WITHIN_MS = 5_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
const FAREWELL_MS = 1_000
/** What `pg_stat_activity` calls it. */
const LISTENER_NAME = 'longhaul listener'

/** Listens while it is started, and connects again by itself. Besides, it looks every second whether anything was written. */
export function createListener(options: ListenerOptions): Listener {
  let running: { readonly stopping: AbortController; readonly ended: Promise<unknown> } | null = null
  return {
    start() {
      if (running !== null) return
      const stopping = new AbortController()
      const ended = Promise.all([listenAlways(options, stopping.signal), lookAlways(options, stopping.signal)])
      running = { stopping, ended }
    },
    async stop() {
      const stopped = running
      running = null
      stopped?.stopping.abort()
      await stopped?.ended
    },
  }
}

async function listenAlways(options: ListenerOptions, signal: AbortSignal): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS
  while (!signal.aborted) {
    const wasThere = await listenOnce(options, signal)
    pauseMs = wasThere ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 2)
    await pause(pauseMs, signal)
  }
}

/** Resolves when the connection has ended: true if it had been there. */
async function listenOnce(options: ListenerOptions, signal: AbortSignal): Promise<boolean> {
  const client = new pg.Client({ ...options.config, fallback_application_name: LISTENER_NAME })
  const ended = Promise.withResolvers<void>()
  const end = (): void => ended.resolve()
  client.on('error', end)
  client.on('end', end)
  client.on('notification', ({ payload }) => options.onNotice(payload ?? ''))
  signal.addEventListener('abort', end)
  const connected = client.connect().then(
    () => true,
    () => false,
  )
  try {
    const isConnected = await Promise.race([connected, ended.promise.then(() => false)])
    if (!isConnected) return false
    await client.query(`listen ${pg.escapeIdentifier(options.channel)}`)
    options.onGap()
    await Promise.race([ended.promise, beat(client, signal)])
    return true
  } catch {
    return false
  } finally {
    signal.removeEventListener('abort', end)
    await Promise.race([client.end(), wait(FAREWELL_MS, undefined, { ref: false })])
    client.connection.stream.destroy()
  }
}

/** Resolves when the connection no longer answers. */
async function beat(client: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(ANSWER_WITHIN_MS, signal)
    const answered = client.query('select').then(
      () => true,
      () => false,
    )
    if (!(await Promise.race([answered, pause(ANSWER_WITHIN_MS, signal).then(() => false)]))) return
  }
}

/**
 * Looks at the numbers of the transactions that are done: as long as they are the same, nothing was written. This finds
 * what no notice told of, because its sender died, the connection was away or a pooler lost it.
 */
async function lookAlways({ database, onGap }: ListenerOptions, signal: AbortSignal): Promise<void> {
  let seen = await look(database)
  for (;;) {
    await pause(LOOK_EVERY_MS, signal)
    if (signal.aborted) return
    const found = await look(database)
    // While the server cannot be asked there is nothing to find; afterwards the numbers are others.
    if (found !== null && found !== seen) onGap()
    seen = found
  }
}

async function look({ read }: Database): Promise<string | null> {
  const [row] = await read<{ done: string }>('select pg_current_snapshot()::text as done').catch(() => [])
  return row?.done ?? null
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => {})
}
