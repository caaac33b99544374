import type { Argument, Command, Option } from 'commander'

export interface Candidate {
  readonly value: string
  readonly about: string
}

/** What could stand at the end of the words: known words, or something that has to be looked up. */
export type Candidates =
  | { readonly kind: 'words'; readonly words: readonly Candidate[] }
  | { readonly kind: 'sessions' | 'models' | 'presets' }
  /** Files, or nothing anybody could know. */
  | { readonly kind: 'none' }

const LOOKED_UP: Readonly<Record<string, 'sessions' | 'models' | 'presets'>> = {
  '--session': 'sessions',
  '--model': 'models',
  '--preset': 'presets',
}

/** The last of the words is the one being typed; it may be empty. */
export function findCandidates(program: Command, words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? ''
  let command = program
  let given = 0
  let waiting: Option | null = null
  for (const word of words.slice(0, -1)) {
    if (waiting !== null) waiting = null
    else if (word.startsWith('-')) waiting = findOption(command, word)
    else {
      const inner = command.commands.find((each) => each.name() === word)
      if (inner === undefined) given += 1
      else command = inner
    }
  }
  if (waiting !== null) return lookUp(LOOKED_UP[waiting.long ?? ''])
  if (typed.startsWith('-')) return { kind: 'words', words: listOptions(command) }
  if (command.commands.length > 0) return { kind: 'words', words: listCommands(command) }
  return forArgument(command.registeredArguments[given])
}

/** Only one that takes a value: what follows it is that value. */
function findOption(command: Command, word: string): Option | null {
  for (let each: Command | null = command; each !== null; each = each.parent) {
    const found = each.options.find((option) => option.long === word || option.short === word)
    if (found !== undefined) return found.required || found.optional ? found : null
  }
  return null
}

function listOptions(command: Command): readonly Candidate[] {
  const own = command.options.map(({ long, short, description }) => ({
    value: long ?? short ?? '',
    about: description,
  }))
  return command.parent === null ? own : [...own, ...listOptions(command.parent)]
}

function listCommands(command: Command): readonly Candidate[] {
  const visible = command.createHelp().visibleCommands(command)
  return visible
    .filter((each) => each.name() !== 'help')
    .map((each) => ({ value: each.name(), about: each.description() }))
}

function forArgument(argument: Argument | undefined): Candidates {
  if (argument?.argChoices !== undefined)
    return { kind: 'words', words: argument.argChoices.map((value) => ({ value, about: '' })) }
  return lookUp(argument?.name() === 'session' ? 'sessions' : undefined)
}

function lookUp(kind: 'sessions' | 'models' | 'presets' | undefined): Candidates {
  return { kind: kind ?? 'none' }
}
