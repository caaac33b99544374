import type { Command } from 'commander'
import type { VerifyOptions } from '../commands/verify.ts'
import type { Perform } from './perform.ts'

/** Looking after what is stored and configured. */
export function addCareCommands(program: Command, perform: Perform): void {
  program
    .command('backup')
    .description('everything into one file, while in use')
    .argument('<file>')
    .action((file: string, _options, command: Command) =>
      perform(command, async (invocation) => (await import('../commands/backup.ts')).runBackup(invocation, file)),
    )
  program
    .command('restore')
    .description('a backup into an empty store')
    .argument('<file>')
    .addHelpText('after', '\nExample:\n  longhaul restore all.backup --data ~/another-folder')
    .action((file: string, _options, command: Command) =>
      perform(command, async (invocation) => (await import('../commands/backup.ts')).runRestore(invocation, file)),
    )
  program
    .command('verify')
    .description('read everything and say what is damaged')
    .option('--repair', 'put right what is only a cache')
    .action((options: VerifyOptions, command: Command) =>
      perform(command, async (invocation) => (await import('../commands/verify.ts')).runVerify(invocation, options)),
    )
  program
    .command('models')
    .description('windows and prices; which can be used')
    .action((_options, command: Command) =>
      perform(command, async (invocation) => (await import('../commands/models.ts')).runModels(invocation)),
    )
  const config = program.command('config').description('check or show the configuration')
  config
    .command('check')
    .description('say what is wrong with it, with path and line')
    .argument('[file]', 'instead of the one in use')
    .action((file: string | undefined, _options, command: Command) =>
      perform(command, async (invocation) => (await import('../commands/config.ts')).runConfigCheck(invocation, file)),
    )
  config
    .command('show')
    .description('every value in force, and who said it')
    .action((_options, command: Command) =>
      perform(command, async (invocation) => (await import('../commands/config.ts')).runConfigShow(invocation)),
    )
  program
    .command('doctor')
    .description('check Node, data folder, store, keys, model, how commands run')
    .action((_options, command: Command) =>
      perform(command, async (invocation) => (await import('../commands/doctor.ts')).runDoctor(invocation)),
    )
}
