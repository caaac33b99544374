import type { CommandHelp } from '@longhaul/protocol'

/** A line that starts with a slash and a letter is a command; a path or a lone slash is something to say. */
export function isCommand(text: string): boolean {
  return /^\/[a-z]+(?:\s|$)/i.test(text.trim())
}

/** `/compact`, of `/compact [instructions]`. */
export function nameOf({ usage }: CommandHelp): string {
  return usage.split(/\s/, 1)[0] ?? usage
}

/** Whether there is more to type after the name. */
export function takesWords({ usage }: CommandHelp): boolean {
  return usage.trim().includes(' ')
}

/** Whether a draft is this command, and whole: what may follow is in brackets or a choice, what must is in capitals. */
export function isWhole(draft: string, command: CommandHelp): boolean {
  return draft.toLowerCase() === nameOf(command) && !/\s[A-Z]/.test(command.usage)
}

/** The commands that what is typed so far may become; none once the name is followed by something. */
export function findCompletions(draft: string, commands: readonly CommandHelp[]): readonly CommandHelp[] {
  if (!/^\/[a-z]*$/i.test(draft)) return []
  return commands.filter((command) => nameOf(command).startsWith(draft.toLowerCase()))
}
