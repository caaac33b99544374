import { Argument, InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import { AGENTS } from '../run/set-up-agent.ts'
import type { AgentName } from '../run/set-up-agent.ts'
import type { Perform } from './perform.ts'
import { readPort } from './read-port.ts'

/** Another program behind the gateway. `rest`: the words that are that program's own. */
export function addRunCommand(program: Command, perform: Perform, rest: () => readonly string[]): void {
  program
    .command('run')
    .usage('[options] claude|codex [ARGS…]\n       longhaul run [options] -- COMMAND [ARGS…]')
    .description('Claude Code, Codex or any program behind the gateway')
    .addArgument(new Argument('[agent]', 'the program').choices(AGENTS).argParser(readAgent))
    .option('--port <number>', 'of the gateway; one that runs there is used (4750)', readPort)
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      'after',
      `
It also takes --data, --config, --store and --verbose; all words after the
program are the program's own.
Examples: longhaul run claude --continue
          longhaul run -- python agent.py`,
    )
    .action((agent: AgentName | undefined, { port }: { readonly port?: number }, command: Command) =>
      perform(command, async (invocation) =>
        (await import('../commands/run.ts')).runRun(invocation, {
          agent: agent ?? null,
          words: rest(),
          ...(port === undefined ? {} : { port }),
        }),
      ),
    )
}

function readAgent(word: string): AgentName {
  const agent = AGENTS.find((name) => name === word)
  if (agent === undefined)
    throw new InvalidArgumentError(
      `Known are ${AGENTS.join(' and ')}. Any other program stands behind two dashes: longhaul run -- ${word}`,
    )
  return agent
}
