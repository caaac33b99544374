import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { GatewayReport } from '../gateway-options.ts'

export type GatewayMessage = { readonly url: string } | { readonly line: string } | { readonly report: GatewayReport }

/** A gateway in a process of its own, on an SQLite file. */
export interface GatewayProcess {
  readonly url: string
  /** Everything it has logged. */
  readonly lines: readonly string[]
  report(): Promise<GatewayReport>
  /** Ends it at once with SIGKILL, whatever it is doing. */
  kill(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./serve-gateway.ts', import.meta.url))

export async function startGatewayProcess({
  file,
  upstream,
}: {
  readonly file: string
  readonly upstream: string
}): Promise<GatewayProcess> {
  const child = fork(PROGRAM, [file, upstream], { execArgv: [] })
  const lines: string[] = []
  const ended = once(child, 'exit')
  const ready = Promise.withResolvers<string>()
  let reported = Promise.withResolvers<GatewayReport>()
  child.on('message', (message: GatewayMessage) => {
    if ('url' in message) ready.resolve(message.url)
    else if ('line' in message) lines.push(message.line)
    else reported.resolve(message.report)
  })
  void ended.then(() => ready.reject(new Error('The gateway ended before it was ready.')))
  return {
    url: await ready.promise,
    lines,
    report() {
      reported = Promise.withResolvers<GatewayReport>()
      child.send('report')
      return reported.promise
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
