import { findNearestName } from '@longhaul/engine/advanced'
import { AgentError } from '../agent-error.ts'
import type { Command, CommandContext, CommandHelp, CommandResult } from './command.ts'
import { compactCommand } from './compact.ts'
import { contextCommand } from './context.ts'
import { memoryCommand } from './memory.ts'
import { modelCommand } from './model.ts'
import { newCommand } from './new.ts'
import { pinCommand } from './pin.ts'
import { pinsCommand } from './pins.ts'
import { presetCommand } from './preset.ts'
import { recallCommand } from './recall.ts'
import { resetCommand } from './reset.ts'
import { statusCommand } from './status.ts'
import { undoCommand } from './undo.ts'
import { unpinCommand } from './unpin.ts'

const helpCommand: Command = {
  name: 'help',
  usage: '/help',
  summary: 'this list',
  async run() {
    return { command: 'help', commands: listCommands() }
  },
}

const COMMANDS: readonly Command[] = [
  statusCommand,
  contextCommand,
  compactCommand,
  undoCommand,
  newCommand,
  resetCommand,
  modelCommand,
  presetCommand,
  pinCommand,
  pinsCommand,
  unpinCommand,
  recallCommand,
  memoryCommand,
  helpCommand,
]

export function listCommands(): readonly CommandHelp[] {
  return COMMANDS.map(({ usage, summary }) => ({ usage, summary }))
}

/** A line that starts with a slash and a letter is a command; a path or a lone slash is something to say. */
export function isCommand(text: string): boolean {
  return /^\/[a-z]+(?:\s|$)/i.test(text.trim())
}

/** Runs a line such as `/compact keep the figures`. What cannot be done is thrown as an `AgentError`. */
export async function runCommand(text: string, context: CommandContext): Promise<CommandResult> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*(.*)$/s.exec(text.trim()) ?? []
  const command = COMMANDS.find((each) => each.name === name.toLowerCase())
  if (command !== undefined) return command.run(argument.trim(), context)
  const nearest = findNearestName(
    name,
    COMMANDS.map((each) => each.name),
  )
  const hint = nearest === undefined ? 'Type /help for the list.' : `Did you mean /${nearest}?`
  throw new AgentError('invalid-request', `There is no command /${name}. ${hint}`)
}
