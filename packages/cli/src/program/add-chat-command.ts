import type { Command } from 'commander'
import type { ChatOptions } from '../chat/chat-options.ts'
import type { Perform } from './perform.ts'

/** Talking: on the screen, in one turn, or line by line. */
export function addChatCommand(program: Command, perform: Perform): void {
  program
    .command('chat')
    .description('talk in the terminal; one turn with --message or piped input')
    .option('--session <id>', 'go on with this one: its id, the start of it, or "last"')
    .option('--model <id>', 'provider/model; `longhaul models` lists them')
    .option('--preset <name>', 'how the context is kept: longhaul, openclaw, oneclaw, micro, spec008')
    .option('--agent <name>', 'one of agents.list in the configuration')
    .option('-m, --message <text>', 'one turn; the reply goes to stdout')
    .option('--plain', 'line by line: each line of input is a message or a slash command')
    .addHelpText(
      'after',
      `
Examples:
  longhaul chat --session last
  longhaul chat -m "And the figures?" --session last --json
  git diff | longhaul chat -m "Review this"`,
    )
    .action((options: ChatOptions, command: Command) =>
      perform(command, async (invocation) => (await import('../chat/run-chat.ts')).runChat(invocation, options)),
    )
}
