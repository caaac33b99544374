import { outputText } from '@longhaul/engine/advanced'
import type { JsonValue, Message, ToolCallPart } from '@longhaul/engine/advanced'

/** Client programs write user messages of their own: notices in tags, and remarks in brackets. */
const WRITTEN_BY_CLIENT = /^\s*(?:<[a-z][\w-]*>|\[[^\]\n]*\]\s*$)/i
const CHANGES_FILES = /write|edit|create|patch|replace|delete|remove|rename|move|append|insert|save/i
const PATH_KEY = /^(?:(?:file|target|notebook|source|destination|old|new)?_?)?(?:path|file|filename|file_?path)s?$/i
const COMMAND_KEY = /^(?:command|cmd|script)$/i
const HEREDOC = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n[\s\S]*?\n\s*\2\b/g

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
  return command.replaceAll(HEREDOC, '<<$2')
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
