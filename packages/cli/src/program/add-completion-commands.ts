import { Argument } from 'commander'
import type { Command } from 'commander'
import { SHELLS } from '../completion/shells.ts'
import type { Shell } from '../completion/shells.ts'
import type { Perform } from './perform.ts'

/** What makes the Tab key work, and what it asks. */
export function addCompletionCommands(program: Command, perform: Perform): void {
  program
    .command('completion')
    .description('make the Tab key complete commands, options, sessions, models')
    .addArgument(new Argument('<shell>', 'yours').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  longhaul completion bash >> ~/.bashrc
  longhaul completion zsh > "\${fpath[1]}/_longhaul"
  longhaul completion fish > ~/.config/fish/completions/longhaul.fish`,
    )
    .action((shell: Shell, _options, command: Command) =>
      perform(command, async ({ output }) => {
        const { createCompletionScript } = await import('../completion/create-script.ts')
        output.write(createCompletionScript(shell))
      }),
    )
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[], _options, command: Command) =>
      perform(command, async (invocation) => {
        const { runComplete } = await import('../completion/run-complete.ts')
        await runComplete(invocation, program, words)
      }),
    )
}
