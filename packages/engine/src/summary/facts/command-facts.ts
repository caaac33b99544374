import { shortenEnd } from '../../messages/shorten.ts'
import type { AddMention } from './fact-collector.ts'
import { findErrorLine } from './failure-facts.ts'
import type { Outcome, ToolUse } from './tool-use.ts'

const MAX_COMMAND_CHARS = 200
const MAX_ERROR_CHARS = 120

/** What was run, its first line as it was typed, and what came of it the last time. */
export function collectCommands({ command, entry, outcome }: ToolUse, add: AddMention): void {
  if (command === null) return
  add({
    kind: 'command',
    text: shortenEnd(firstLine(command), MAX_COMMAND_CHARS),
    note: describe(outcome),
    by: 'assistant',
    entry,
  })
}

const ONLY_FOLDER = /^\s{0,99}cd\s{1,99}[^\s;&|]{1,400}(?=\s{0,99}(?:&&|;)?\s{0,99}$)/
const OPENS_TEXT = /<<-?\s?["']?\w{1,40}["']?\s{0,9}$/

/** A line that only changes the folder, or that ends where a text begins (`git commit -m "$(cat <<'EOF'`), is not the command yet. */
function firstLine(command: string): string {
  // Each line adds a character at least, so more of them are never shown.
  const lines = command.split('\n', MAX_COMMAND_CHARS)
  const first = joinContinued(lines)
  const next = lines[0]?.trim() ?? ''
  if (next === '') return first
  const folder = ONLY_FOLDER.exec(first)?.[0]
  if (folder !== undefined) return `${folder} && ${joinContinued(lines)}`
  return OPENS_TEXT.test(first) ? `${first} ${next}` : first
}

/** Takes a line off the front, and those that a backslash adds to it, as far as they are shown. */
function joinContinued(lines: string[]): string {
  let joined = lines.shift() ?? ''
  while (joined.endsWith('\\') && joined.length <= MAX_COMMAND_CHARS && lines.length > 0) {
    joined = `${joined.slice(0, -1).trimEnd()} ${lines.shift()?.trim() ?? ''}`
  }
  return joined
}

function describe(outcome: Outcome | null): string {
  if (outcome === null) return 'no result'
  if (!outcome.failed) return 'ok'
  const code = outcome.exitCode === null ? 'failed' : `failed (exit ${outcome.exitCode})`
  const line = findErrorLine(outcome.text)
  return line === null ? code : `${code}: ${shortenEnd(line, MAX_ERROR_CHARS)}`
}
