import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type ProcessMessage = { readonly url: string } | { readonly memoryBytes: number }

export interface BenchProcess {
  readonly url: string
  /** So far, four times a second. */
  readonly memoryBytes: readonly number[]
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./serve.ts', import.meta.url))
/** Left alone, a heap grows as long as there is room, which tells nothing about what is needed. */
const HEAP_MEGABYTES = 512

/** Starts `serve.ts` in a process of its own. */
export async function startProcess(...words: readonly string[]): Promise<BenchProcess> {
  const child = fork(PROGRAM, words, { execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`] })
  const memoryBytes: number[] = []
  const ended = once(child, 'exit')
  const ready = Promise.withResolvers<string>()
  child.on('message', (message: ProcessMessage) => {
    if ('url' in message) ready.resolve(message.url)
    else memoryBytes.push(message.memoryBytes)
  })
  void ended.then(() => ready.reject(new Error(`The process ${words[0]} ended before it was ready.`)))
  return {
    url: await ready.promise,
    memoryBytes,
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
