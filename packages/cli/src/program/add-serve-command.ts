import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { GatewayCommandOptions, UpstreamWish } from '../commands/gateway.ts'
import type { ServeOptions } from '../commands/serve.ts'
import type { Perform } from './perform.ts'
import { readPort } from './read-port.ts'

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

/** The gateway alone. */
export function addGatewayCommand(program: Command, perform: Perform): void {
  program
    .command('gateway')
    .description('one address for any program, in front of its provider')
    .option('--port <number>', 'where it listens; 0 takes any that is free (4750)', readPort)
    .option('--host <name>', 'other than 127.0.0.1 only with LONGHAUL_TOKEN set')
    .option('--upstream <name=url>', 'one more provider, or another address of one', readUpstream, [])
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      'after',
      `
It also takes --data, --config, --store, --json and --verbose.
Example: longhaul gateway --upstream local=http://127.0.0.1:8080
  ANTHROPIC_BASE_URL=http://127.0.0.1:4750/gateway/anthropic claude`,
    )
    .action((options: GatewayCommandOptions, command: Command) =>
      perform(command, async (invocation) => (await import('../commands/gateway.ts')).runGateway(invocation, options)),
    )
}

/** May be given more than once. What is wrong with a name or an address is said by whoever knows them. */
function readUpstream(text: string, earlier: readonly UpstreamWish[]): readonly UpstreamWish[] {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Write a name and an address: local=http://127.0.0.1:8080')
  return [...earlier, { name: text.slice(0, at), address: text.slice(at + 1) }]
}
