import { readFileSync } from 'node:fs'
import type { Variables } from '@longhaul/runtime/environment'
import { Command, Help } from 'commander'
import type { Output } from '../terminal/output.ts'
import { addAuditCommand } from './add-audit-command.ts'
import { addCareCommands } from './add-care-commands.ts'
import { addChatCommand } from './add-chat-command.ts'
import { addCompletionCommands } from './add-completion-commands.ts'
import { addReplayCommand } from './add-replay-command.ts'
import { addRunCommand } from './add-run-command.ts'
import { addGatewayCommand, addServeCommand } from './add-serve-command.ts'
import { addSessionCommands } from './add-session-commands.ts'
import type { ExitCode } from './invocation.ts'
import { createPerformer } from './perform.ts'
import { splitRunWords } from './split-run-words.ts'

export interface ProgramOptions {
  readonly output: Output
  readonly environment: Variables
  readonly signal: AbortSignal
  readonly leaveSignals?: () => void
}

export interface Program {
  readonly command: Command
  run(words: readonly string[]): Promise<ExitCode>
}

/** All commands as they are typed. */
export function createProgram({ leaveSignals = () => undefined, ...surroundings }: ProgramOptions): Program {
  const { output } = surroundings
  const { perform, exitCode } = createPerformer({ ...surroundings, leaveSignals })
  let rest: readonly string[] = []
  const command = new Command('longhaul')
    .description('Keeps an AI conversation alive for as long as you want it.')
    .version(readVersion(), '-V, --version', 'the version')
    .helpOption('-h, --help', 'this')
    .option('--data <folder>', 'where everything lies (~/.longhaul)')
    .option('--config <file>', 'the configuration (config.json5 in that folder)')
    .option('--store <url>', 'sqlite:FILE or postgres://…')
    .option('--json', 'JSON and nothing else on stdout')
    .option('--verbose', 'tell more, and show where errors come from')
    .configureHelp({ showGlobalOptions: true, helpWidth: output.width, formatHelp })
    .exitOverride()
  addServeCommand(command, perform)
  addRunCommand(command, perform, () => rest)
  addChatCommand(command, perform)
  addGatewayCommand(command, perform)
  addSessionCommands(command, perform)
  addAuditCommand(command, perform)
  addReplayCommand(command, perform)
  addCareCommands(command, perform)
  addCompletionCommands(command, perform)
  return {
    command,
    async run(words) {
      if (words.length === 0) {
        command.outputHelp()
        return 0
      }
      const split = splitRunWords(words)
      rest = split.rest
      await command.parseAsync([...split.own], { from: 'user' })
      return exitCode()
    },
  }
}

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** What fits a screen: commands first; options that all of them take are told with each. */
function formatHelp(command: Command, helper: Help): string {
  if (command.parent !== null) return Help.prototype.formatHelp.call(helper, command, helper)
  const commands = helper.visibleCommands(command).filter((each) => each.name() !== 'help')
  const columns = Math.max(...commands.map((each) => each.name().length))
  return `${command.description()}
Usage: longhaul <command> [options]
${commands.map((each) => `  ${each.name().padEnd(columns)}  ${each.description()}`).join('\n')}
Every command takes --data, --config, --store, --json, --verbose and --help.
Examples: longhaul chat, longhaul chat -m "What is left?", longhaul context last
`
}
