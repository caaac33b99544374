import { outputText } from '../../messages/render-text.ts'
import { pairTools } from '../../messages/tool-pairs.ts'
import { toolWords } from '../../messages/tool-vocabulary.ts'
import type { MessageEntry } from '../../transcript/entry.ts'
import type { ToolCallPart } from '../../transcript/message.ts'
import { redactSecrets } from '../redact-secrets.ts'
import { sampleText } from './message-words.ts'

/** One tool call with what came of it. Command and output are without secrets: they must go before anything is cut out. */
export interface ToolUse {
  readonly call: ToolCallPart
  readonly entry: MessageEntry
  /** Lower-case words of the tool's own name, prefixes of servers left out: `mcp__fs__readTextFile` is read, text, file. */
  readonly words: readonly string[]
  /** What a shell was asked to run; null for every other tool. */
  readonly command: string | null
  /** null: nothing came back. */
  readonly outcome: Outcome | null
}

export interface Outcome {
  readonly entry: MessageEntry
  readonly text: string
  readonly failed: boolean
  readonly exitCode: number | null
}

export function readToolUses(entries: readonly MessageEntry[]): readonly ToolUse[] {
  return pairTools(entries).flatMap(({ call, callMessage, answer }) => {
    const entry = entries[callMessage]
    if (entry === undefined) return []
    const command = readCommand(call)
    const answerEntry = answer === null ? undefined : entries[answer.message]
    const outcome =
      answer === null || answerEntry === undefined
        ? null
        : readOutcome(
            answerEntry,
            redactSecrets(sampleText(outputText(answer.result.output))),
            answer.result.isError === true,
            command !== null,
          )
    return [{ call, entry, words: toolWords(call.toolName), command, outcome }]
  })
}

const COMMAND_KEYS = ['command', 'cmd', 'script', 'commandLine', 'command_line'] as const

/** An editor's `command` is one word beside a path (`view`, `create`); a shell's is not. */
function readCommand({ input, toolName }: ToolCallPart): string | null {
  for (const key of COMMAND_KEYS) {
    const value = input[key]
    const text = Array.isArray(value) ? joinWords(value) : value
    if (typeof text !== 'string' || text.trim() === '') continue
    const isEditor = 'path' in input && /^\s*\w+\s*$/.test(text)
    if (!isEditor) return redactSecrets(sampleText(text.trim()))
  }
  const { input: code } = input
  return typeof code === 'string' && /shell|bash|exec|terminal/i.test(toolName)
    ? redactSecrets(sampleText(code.trim()))
    : null
}

/** `["bash", "-lc", "npm test"]` runs `npm test`. */
function joinWords(value: readonly unknown[]): string {
  const words = value.filter((word) => typeof word === 'string')
  const isWrapped =
    words.length === 3 && /^(?:\/\S{0,40}\/)?(?:ba|z|da)?sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '')
  return isWrapped ? (words[2] ?? '') : words.join(' ')
}

const EXIT_CODE =
  /\bexit(?:ed)?(?: with)?(?: (?:code|status))?[:= ]{1,3}(-?\d{1,3})\b|\breturn code[:= ]{1,3}(-?\d{1,3})\b/i
const SAYS_FAILED =
  /^\s{0,20}(?:<tool_use_error>|<error>|[A-Za-z]{0,40}(?:error|exception)\b\s?[:(]|error\b|failed\b|failure\b|fatal:|traceback|could not\b|cannot\b|can't\b|unable to\b|permission denied|no such file|enoent|unknown tool|invalid (?:argument|input|parameter))/i

function readOutcome(entry: MessageEntry, text: string, isError: boolean, isShell: boolean): Outcome {
  // A shell's exit code is reported by the harness at either end, not somewhere inside a log that was printed.
  const ends = text.length > 600 ? `${text.slice(0, 200)}\n${text.slice(-400)}` : text
  const match = isShell ? EXIT_CODE.exec(ends) : null
  const exitCode = match === null ? null : Number(match[1] ?? match[2])
  const failed =
    isError || (exitCode !== null ? exitCode !== 0 : !isShell && text.length < 2_000 && SAYS_FAILED.test(text))
  return { entry, text, failed, exitCode }
}
