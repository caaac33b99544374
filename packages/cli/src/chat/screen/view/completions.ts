import { CombinedAutocompleteProvider } from '@earendil-works/pi-tui'
import type { AutocompleteProvider } from '@earendil-works/pi-tui'

/** A slash command as it is completed. */
export interface SlashWord {
  readonly name: string
  readonly usage: string
  readonly summary: string
  /** What may follow it. */
  readonly choices: () => readonly string[]
}

/** Slash commands and what they take; nothing for ordinary text. */
export function createCompletions(words: readonly SlashWord[]): AutocompleteProvider {
  const commands = words.map(({ name, summary, choices }) => ({
    name,
    description: summary,
    getArgumentCompletions: (prefix: string) =>
      choices().flatMap((value) => (value.includes(prefix) ? [{ value, label: value }] : [])),
  }))
  const provider = new CombinedAutocompleteProvider(commands, process.cwd())
  return {
    async getSuggestions(lines, line, column, options) {
      if (line !== 0 || lines[0]?.startsWith('/') !== true) return null
      return provider.getSuggestions(lines, line, column, { ...options, force: false })
    },
    applyCompletion: (lines, line, column, item, prefix) => provider.applyCompletion(lines, line, column, item, prefix),
  }
}
