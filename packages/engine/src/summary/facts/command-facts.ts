import { shortenEnd } from '../../messages/shorten.ts'
import type { AddMention } from './fact-collector.ts'
import { findErrorLine } from './failure-facts.ts'
import type { Outcome, ToolUse } from './tool-use.ts'

const MAX_COMMAND_CHARS = 200
const MAX_ERROR_CHARS = 120

/** What was run, its first line as it was typed, and what came of it the last time. A line that only changes the folder is not the command yet. */
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

function firstLine(command: string): string {
  const [first = '', second = ''] = command.split('\n', 2)
  const folder = /^\s*cd\s+[^\s;&|]{1,400}(?=\s*(?:&&|;)?\s*$)/.exec(first)?.[0]
  return folder === undefined || second.trim() === '' ? first : `${folder} && ${second.trim()}`
}

function describe(outcome: Outcome | null): string {
  if (outcome === null) return 'no result'
  if (!outcome.failed) return 'ok'
  const code = outcome.exitCode === null ? 'failed' : `failed (exit ${outcome.exitCode})`
  const line = findErrorLine(outcome.text)
  return line === null ? code : `${code}: ${shortenEnd(line, MAX_ERROR_CHARS)}`
}
