import { homedir } from 'node:os'
import { createRuntime } from '@longhaul/runtime'
import { buildWeb, createLogger, startServer } from '@longhaul/server'
import type { Invocation } from '../program/invocation.ts'
import { canOpenBrowser, openBrowser } from '../system/open-browser.ts'
import { readConfig } from '../system/open-system.ts'

export interface ServeOptions {
  readonly port?: number
  readonly host?: string
  /** False: the browser is left alone. */
  readonly open: boolean
}

/** Runs until it is told to stop. */
export async function runServe(invocation: Invocation, { port, host, open }: ServeOptions): Promise<void> {
  const { options, output, signal } = invocation
  const config = await readConfig(invocation)
  // Whoever sits before it wants to read; where it goes to a file or a journal, all is told.
  const level = options.verbose === true ? 'debug' : output.isTerminal ? 'warn' : 'info'
  const log = createLogger({ level })
  const audit = { home: homedir(), environment: invocation.environment }
  const server = await startServer({
    runtime: (parts) => createRuntime(config, { log, audit, ...parts }),
    log,
    webFolder: await buildWeb({ note: (line) => output.note(line) }),
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    onOpened: () => printAnother(),
  })
  output.print(`Longhaul is ready at ${server.url}`)
  const address = server.createOpeningAddress()
  if (address !== null)
    output.print(`Only a page opened from this address can allow tool calls; it works once: ${address}`)
  if (open && output.isTerminal && canOpenBrowser(process)) openBrowser(address ?? server.url, process)

  /** Not where it goes to a file: a command could read the file before a person does. */
  function printAnother(): void {
    if (output.isTerminal) output.print(`For another browser: ${server.createOpeningAddress()}`)
  }
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  output.note('Stopping: turns under way may end first. Once more stops at once.')
  await server.close()
}
