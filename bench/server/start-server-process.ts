import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type ServerMessage = { readonly url: string } | Measured

export interface Measured {
  /** Milliseconds since 1970: the clock both processes have. */
  readonly at: number
  readonly memoryBytes: number
  readonly cpuMs: number
}

export interface ServerProcess {
  readonly url: string
  /** So far, twice a second. */
  readonly measured: readonly Measured[]
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./serve.ts', import.meta.url))

/** Left alone, a heap grows as long as there is room, which tells nothing about what is needed. */
const HEAP_MEGABYTES = 256

export async function startServerProcess(folder: string, providerUrl: string): Promise<ServerProcess> {
  const child = fork(PROGRAM, [folder, providerUrl], { execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`] })
  const measured: Measured[] = []
  const ended = once(child, 'exit')
  const ready = Promise.withResolvers<string>()
  child.on('message', (message: ServerMessage) => {
    if ('url' in message) ready.resolve(message.url)
    else measured.push(message)
  })
  void ended.then(() => ready.reject(new Error('The server ended before it was ready.')))
  return {
    url: await ready.promise,
    measured,
    async stop() {
      child.disconnect()
      await ended
    },
  }
}
