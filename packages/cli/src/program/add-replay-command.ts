import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import type { ReplayCommandOptions } from '../commands/replay.ts'
import type { Perform } from './perform.ts'
import { readWindow } from './read-window.ts'

/** Transcripts through policies. */
export function addReplayCommand(program: Command, perform: Perform): void {
  program
    .command('replay')
    .description('what other policies would have done to your conversations')
    .argument('<path...>', 'transcripts, or folders of them')
    .option('--presets <names>', 'presets or peers, by commas', readNames)
    .option('--peers', 'add the policies of eight other programs')
    .option('--policy <file>', 'add your own: a configuration file')
    .option('--window <tokens>', 'instead of the model’s: 64000, 200k', readWindow)
    .option('--model <id>', 'whose window, prices and cache')
    .addOption(new Option('--summaries <source>', 'who writes them').choices(['extractive', 'recorded']))
    .option('--questions <file>', 'questions with answers to look for')
    .option('--live', 'let a model write the summaries; asks first')
    .option('-y, --yes', 'with --live: do not ask')
    .option('--html <file>', 'a page with plots, all in one file')
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      'after',
      `
It also takes --data, --config, --store, --json and --verbose.
Example: longhaul replay ~/.claude/projects --peers --window 200k --html r.html`,
    )
    .action((paths: string[], options: ReplayCommandOptions, command: Command) =>
      perform(command, async (invocation) =>
        (await import('../commands/replay.ts')).runReplay(invocation, paths, options),
      ),
    )
}

function readNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.some((name) => name === '')) throw new InvalidArgumentError('Names are parted by commas: longhaul,micro.')
  return names
}
