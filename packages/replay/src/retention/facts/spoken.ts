import { outputText } from '@longhaul/engine/advanced'
import type { JsonValue, Message, ToolCallPart } from '@longhaul/engine/advanced'

/** Client programs write user messages of their own: notices in tags, and remarks in brackets. */
const WRITTEN_BY_CLIENT = /^\s*(?:<[a-z][\w-]*>|\[[^\]\n]*\]\s*$)/i
const CHANGES_FILES = /write|edit|create|patch|replace|delete|remove|rename|move|append|insert|save/i
const PATH_KEY = /^(?:(?:file|target|notebook|source|destination|old|new)?_?)?(?:path|file|filename|file_?path)s?$/i
const COMMAND_KEY = /^(?:command|cmd|script)$/i
const HEREDOC = /<<-?[ \t]*(['"]?)(\w+)\1/

/** A person's words; null for messages that a client program wrote in the user's place. */
export function personText({ role, parts }: Message): string | null {
  if (role !== 'user') return null
  const text = textOf(parts)
  return text.trim() === '' || WRITTEN_BY_CLIENT.test(text) ? null : text
}

export interface Call {
  readonly id: string
  readonly paths: readonly string[]
  readonly changesFiles: boolean
  /** Shell commands as they were run. */
  readonly commands: readonly string[]
  /** The rest of the input. Of a call that changes files, nothing: a file's body is not a statement. */
  readonly texts: readonly string[]
}

/** A command without the bodies of files and messages that are written inside it. */
export function stripBodies(command: string): string {
  if (!command.includes('<<')) return command
  const lines = command.split('\n')
  const ends = new Map<string, number>()
  // From the last line on, each word leads to the next line that begins with it: no line is looked for twice.
  const endOf = lines.map((): number => -1)
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const tag = HEREDOC.exec(lines[index] ?? '')?.[2]
    // The body has a line at least.
    if (tag !== undefined) endOf[index] = ends.get(tag) ?? -1
    const first = /^\s*(\w+)/.exec(lines[index] ?? '')?.[1]
    if (first !== undefined) ends.set(first, index)
  }
  const kept: string[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const end = endOf[index] ?? -1
    const match = end < 0 ? null : HEREDOC.exec(line)
    if (match === null) kept.push(line)
    else {
      const tag = match[2] ?? ''
      const rest = (lines[end] ?? '').trimStart().slice(tag.length)
      kept.push(`${line.slice(0, match.index)}<<${tag}${rest}`)
      index = end
    }
  }
  return kept.join('\n')
}

export function textOf(parts: Message['parts']): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

export function callsOf({ parts }: Message): readonly Call[] {
  return parts.flatMap((part) => (part.type === 'tool-call' ? [readCall(part)] : []))
}

export function outputsOf({ parts }: Message): readonly string[] {
  return parts.flatMap((part) => (part.type === 'tool-result' ? [outputText(part.output)] : []))
}

function readCall({ toolCallId, toolName, input }: ToolCallPart): Call {
  const fields = Object.entries(input)
  const paths = fields.flatMap(([key, value]) => (PATH_KEY.test(key) ? stringsIn(value) : []))
  const commands = fields.flatMap(([key, value]) => (COMMAND_KEY.test(key) ? [stringsIn(value).join(' ')] : []))
  const patched = fields.flatMap(([, value]) => stringsIn(value).flatMap(patchedPaths))
  const changesFiles = patched.length > 0 || (paths.length > 0 && CHANGES_FILES.test(toolName))
  const rest = fields.filter(([key]) => !PATH_KEY.test(key) && !COMMAND_KEY.test(key))
  return {
    id: toolCallId,
    paths: [...paths, ...patched],
    changesFiles,
    commands,
    texts: changesFiles ? [] : rest.flatMap(([, value]) => stringsIn(value)),
  }
}

/** Patches name their files in lines of their own. */
function patchedPaths(text: string): readonly string[] {
  return [...text.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ b\/)(.+)$/gm)].map(([, path = '']) =>
    path.trim(),
  )
}

function stringsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap((inner) => stringsIn(inner))
  return []
}
