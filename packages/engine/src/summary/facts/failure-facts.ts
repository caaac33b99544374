import { shortenEnd } from '../../messages/shorten.ts'
import { redactSecrets } from '../redact-secrets.ts'
import type { AddMention } from './fact-collector.ts'
import type { ToolUse } from './tool-use.ts'

const MAX_FAILURE_CHARS = 220
const MAX_PER_RESULT = 3
const MAX_TARGET_CHARS = 80

/** A line that reports a failure, as opposed to one that only contains the word. */
const REPORTS =
  /^[^A-Za-z]{0,40}(?:[\w./()@-]{1,200}[:(]\S{0,40}\s{1,4}|\[?\w{1,20}\]?\s{1,4}|npm\s)?(?:(?:[A-Z]\w{0,60})?(?:Error|Exception)\b|error\b[ :[(]|ERROR\b|fatal\b|FATAL\b|panic\b|Traceback\b|FAIL(?:ED|URE)?\b|failed\b|Failed\b|Cannot\b|Could not\b|Unable to\b|Permission denied|No such file|command not found|undefined reference)|[✗✖×❌]\s|\b[1-9]\d{0,6} (?:failed|failures?|errors?)\b|: (?:command not found|No such file or directory|Permission denied)$/
const IS_EMPTY_REPORT =
  /^[\s\W]*(?:error|fatal|failed|exception|traceback \(most recent call last\))?[\s\W]*$|\b0 (?:errors?|failed|failures?)\b/i
/** Their output is text somebody stored, where "error" is a word like any other. */
const SHOWS_TEXT =
  /(?:^|[|;&]\s*|\bsudo\s)(?:cat|head|tail|less|sed|grep|rg|awk|find|ls|tree|git (?:log|diff|show|grep|blame|status))\b/

/** Failed calls and the error lines commands printed, in their own words. */
export function collectFailures(use: ToolUse, add: AddMention): void {
  const { outcome, command } = use
  if (outcome === null) return
  const target = shortenEnd(command?.split('\n', 1)[0] ?? describeCall(use), MAX_TARGET_CHARS)
  const lines = findErrorLines(outcome.text, outcome.failed || (command !== null && !SHOWS_TEXT.test(command)))
  const shown = outcome.failed && lines.length === 0 ? firstLine(outcome.text) : lines
  for (const line of shown)
    add({ kind: 'failure', text: shortenEnd(line, MAX_FAILURE_CHARS), note: target, by: 'tool', entry: outcome.entry })
}

/** The first line that says what went wrong; without one, the first line there is. */
export function findErrorLine(text: string): string | null {
  return findErrorLines(text, true)[0] ?? firstLine(text)[0] ?? null
}

function findErrorLines(text: string, mayReport: boolean): readonly string[] {
  if (!mayReport) return []
  const found = new Set<string>()
  for (const line of text.split('\n')) {
    if (line.length > 2_000 || line.length < 4 || !MAY_REPORT.test(line)) continue
    const words = line.trim()
    if (REPORTS.test(words) && !IS_EMPTY_REPORT.test(words)) found.add(words)
    if (found.size >= MAX_PER_RESULT) break
  }
  return [...found]
}

const MAY_REPORT =
  /error|exception|fatal|panic|traceback|fail|cannot|could not|unable|denied|no such|not found|undefined ref|[✗✖×❌]/i

function firstLine(text: string): readonly string[] {
  const line = text
    .slice(0, 2_000)
    .replace(/<\/?\w+>/g, '')
    .split('\n')
    .find((candidate) => /\w/.test(candidate))
  return line === undefined ? [] : [line.trim()]
}

function describeCall({ call }: ToolUse): string {
  const target = Object.values(call.input).find((value) => typeof value === 'string' && value.length <= 200)
  return typeof target === 'string' ? redactSecrets(`${call.toolName} ${target}`) : call.toolName
}
