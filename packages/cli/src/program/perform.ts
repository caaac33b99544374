import type { Command } from 'commander'
import type { ExitCode, Invocation, SharedOptions } from './invocation.ts'

/** What a parsed command does. Its code is loaded only when it is called for: that is what keeps the program quick to start. */
export type Perform = (command: Command, run: (invocation: Invocation) => Promise<ExitCode | void>) => Promise<void>

export interface Performer {
  readonly perform: Perform
  readonly exitCode: () => ExitCode
}

export function createPerformer(surroundings: Omit<Invocation, 'options'>): Performer {
  let exitCode: ExitCode = 0
  return {
    async perform(command, run) {
      exitCode = (await run({ options: command.optsWithGlobals<SharedOptions>(), ...surroundings })) ?? 0
    },
    exitCode: () => exitCode,
  }
}
