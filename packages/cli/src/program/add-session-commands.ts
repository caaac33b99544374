import { Argument, InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import type { DeleteOptions, ListOptions } from '../commands/sessions.ts'
import type { ShowOptions } from '../commands/show-session.ts'
import type { UndoOptions } from '../commands/on-session.ts'
import type { Perform } from './perform.ts'

const WHICH = 'its id, the start of it, or "last"'

/** What can be done with sessions from outside a chat. */
export function addSessionCommands(program: Command, perform: Perform): void {
  addSessions(program, perform)

  program
    .command('status')
    .description('how full the context is, compactions, model, cost')
    .argument('<session>', WHICH)
    .action((session: string, _options, command: Command) =>
      perform(command, async (invocation) => {
        const { runOnSession } = await import('../commands/on-session.ts')
        return runOnSession(invocation, session, '/status')
      }),
    )
  program
    .command('context')
    .description('what takes the space in the next request')
    .argument('<session>', WHICH)
    .option('--detail', 'every item')
    .action((session: string, { detail }: { detail?: true }, command: Command) =>
      perform(command, async (invocation) => {
        const { runOnSession } = await import('../commands/on-session.ts')
        return runOnSession(invocation, session, detail === true ? '/context detail' : '/context list')
      }),
    )
  program
    .command('compact')
    .description('summarise older messages now, with instructions if you like')
    .argument('<session>', WHICH)
    .argument('[instructions...]', 'what the summary should keep')
    .addHelpText('after', '\nExample:\n  longhaul compact last keep every figure')
    .action((session: string, instructions: string[], _options, command: Command) =>
      perform(command, async (invocation) => {
        const { runOnSession } = await import('../commands/on-session.ts')
        return runOnSession(invocation, session, `/compact ${instructions.join(' ')}`)
      }),
    )
  program
    .command('undo')
    .description('take the last compaction back')
    .argument('<session>', WHICH)
    .option('-y, --yes', 'do not ask, whatever has been said since')
    .action((session: string, options: UndoOptions, command: Command) =>
      perform(command, async (invocation) => {
        const { runUndo } = await import('../commands/on-session.ts')
        return runUndo(invocation, session, options)
      }),
    )
  program
    .command('recall')
    .description('find earlier messages, word for word')
    .argument('<session>', WHICH)
    .argument('<query...>', 'words to look for, or the id of a message')
    .action((session: string, query: string[], _options, command: Command) =>
      perform(command, async (invocation) => {
        const { runOnSession } = await import('../commands/on-session.ts')
        return runOnSession(invocation, session, `/recall ${query.join(' ')}`)
      }),
    )
}

function addSessions(program: Command, perform: Perform): void {
  const sessions = program
    .command('sessions')
    .description('list, show, export, import, delete')
    .addHelpText(
      'after',
      '\nExamples:\n  longhaul sessions list --query garden\n  longhaul sessions export last > talk.jsonl',
    )
  sessions
    .command('list')
    .description('newest change first')
    .option('--query <words>', 'only those whose title or messages have these words')
    .option('--limit <count>', 'at most so many', readCount, 30)
    .action((options: ListOptions, command: Command) =>
      perform(command, async (invocation) => {
        const { runSessionsList } = await import('../commands/sessions.ts')
        return runSessionsList(invocation, options)
      }),
    )
  sessions
    .command('show')
    .description('its newest messages')
    .argument('<session>', WHICH)
    .option('--limit <count>', 'so many messages', readCount, 20)
    .action((session: string, options: ShowOptions, command: Command) =>
      perform(command, async (invocation) => {
        const { runSessionsShow } = await import('../commands/show-session.ts')
        return runSessionsShow(invocation, session, options)
      }),
    )
  sessions
    .command('export')
    .description('all of it as JSON lines, without loss')
    .argument('<session>', WHICH)
    .option('-o, --output <file>', 'instead of stdout')
    .action((session: string, options: { output?: string }, command: Command) =>
      perform(command, async (invocation) => {
        const { runSessionsExport } = await import('../commands/sessions.ts')
        return runSessionsExport(invocation, session, options)
      }),
    )
  sessions
    .command('import')
    .description('Longhaul, OpenClaw/pi, Claude Code, OpenAI chat or AI SDK transcripts')
    .argument('<file>', 'the transcript; - for stdin')
    // The option has no effect any more: a session that is there already always becomes a copy.
    .addOption(new Option('--new-id').hideHelp())
    .action((file: string, _options: object, command: Command) =>
      perform(command, async (invocation) => {
        const { runSessionsImport } = await import('../commands/sessions.ts')
        return runSessionsImport(invocation, file)
      }),
    )
  sessions
    .command('delete')
    .description('hide it')
    .addArgument(new Argument('<session>', WHICH))
    .option('--purge', 'erase it for good')
    .option('-y, --yes', 'do not ask')
    .action((session: string, options: DeleteOptions, command: Command) =>
      perform(command, async (invocation) => {
        const { runSessionsDelete } = await import('../commands/sessions.ts')
        return runSessionsDelete(invocation, session, options)
      }),
    )
}

function readCount(text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number from 1.')
  return count
}
