import type { Command } from 'commander'
import type { AuditCommandOptions } from '../commands/audit.ts'
import type { Perform } from './perform.ts'
import { readSince } from './read-since.ts'
import { readWindow } from './read-window.ts'

export function addAuditCommand(program: Command, perform: Perform): void {
  program
    .command('audit')
    .description('what your agents forgot, and what that cost')
    .argument('[path...]', 'sessions, or folders of them (where agents keep theirs)')
    .option('--since <time>', 'newer ones only: 30d, 12h, 2026-10-01', readSince)
    .option('--window <tokens>', 'of every session, where you know better: 200k', readWindow)
    .option('--html <file>', 'a page with plots, all in one file')
    .option('--share', 'counts only: leave out every text of the sessions')
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      'after',
      `
It also takes --data, --config, --json and --verbose. It reads the sessions of
Claude Code, Codex, OpenClaw, pi, Gemini CLI and opencode on this machine. No
model is asked and nothing leaves the machine.
Example: longhaul audit --since 30d --html audit.html --share`,
    )
    .action((paths: string[], options: AuditCommandOptions, command: Command) =>
      perform(command, async (invocation) =>
        (await import('../commands/audit.ts')).runAuditCommand(invocation, paths, options),
      ),
    )
}
