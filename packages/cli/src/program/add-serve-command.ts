import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { ServeOptions } from '../commands/serve.ts'
import type { Perform } from './perform.ts'

/** The server with the web app. */
export function addServeCommand(program: Command, perform: Perform): void {
  program
    .command('serve')
    .description('the app in your browser, and the HTTP API')
    .option('--port <number>', 'where it listens; 0 takes any that is free (4747)', readPort)
    .option('--host <name>', 'other than 127.0.0.1 only with LONGHAUL_TOKEN set')
    .option('--no-open', 'leave the browser alone; the address that may allow tool calls is printed either way')
    .addHelpText('after', '\nExample:\n  longhaul serve --port 0 --data ./project-data')
    .action((options: ServeOptions, command: Command) =>
      perform(command, async (invocation) => (await import('../commands/serve.ts')).runServe(invocation, options)),
    )
}

const MAX_PORT = 65_535

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > MAX_PORT)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_PORT}.`)
  return port
}
