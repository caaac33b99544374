import {
  CHANGE_WORDS,
  LISTING_WORDS,
  isExtentKey,
  isPathKey,
  normalizePath,
  redactSecrets,
  toolWords,
} from '@longhaul/engine/advanced'
import type { JsonObject, JsonValue, ToolCallPart } from '@longhaul/engine/advanced'

/** A tool call by its shape: no agent's own names are known here. */
export interface ToolAction {
  /** `change`: what the file holds afterwards is not what was read before. */
  readonly kind: 'read' | 'change' | 'command' | 'other'
  readonly paths: readonly string[]
  /** Which part of the file; null: all of it. */
  readonly extent: string | null
  /** The shell's words, or the tool's name with its input; equal for equal calls. */
  readonly command: string
  /** A change that wrote the whole file: its content was in the window with the call. */
  readonly isWholeFile: boolean
}

const COMMAND_KEY = /^(?:command|cmd|script|commands)$/i
const CONTENT_KEY = /^(?:content|contents|file_?text|text|body|data)$/i
const SHELL_WORDS = new Set('bash shell sh exec execute run terminal command cmd powershell zsh'.split(' '))
const READ_WORDS = new Set('read view cat open show load get fetch'.split(' '))
/** `cat a.ts`, `sed -n '1,20p' a.ts`, `head -50 a.ts`, after a `cd`; a pipe or a second command makes it something else. */
const SHELL_READ =
  /^(?:cd [^\s;&|]+ && )?(cat|head|tail|nl|less|more|bat|type|sed -n|Get-Content)((?: [^;&|<>]*)?) ["']?([^\s;&|<>"']+)["']?$/
const MAX_COMMAND_CHARS = 2_000

const actions = new WeakMap<ToolCallPart, ToolAction>()

export function readToolAction(call: ToolCallPart): ToolAction {
  const known = actions.get(call) ?? findAction(call)
  actions.set(call, known)
  return known
}

function findAction({ toolName, input }: ToolCallPart): ToolAction {
  const words = toolWords(toolName)
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word))
  const command = stringAt(input, COMMAND_KEY)
  const paths = Object.entries(input).flatMap(([key, value]) => (isPathKey(key) ? stringsIn(value) : []))
  const whole = { paths: paths.map(normalizePath), extent: null, isWholeFile: false }
  if (command !== null && (has(SHELL_WORDS) || paths.length === 0)) return readShell(command)
  const rendered = cutCommand(`${toolName} ${JSON.stringify(input)}`)
  const named = { ...whole, command: rendered }
  // Some editors are one tool with a `command`: there it says what happens to the file.
  const verb = command === null ? words : toolWords(command)
  if (verb.some((word) => LISTING_WORDS.has(word)) || paths.length === 0) return { ...named, kind: 'other' }
  if (verb.some((word) => CHANGE_WORDS.has(word))) {
    return { ...named, kind: 'change', isWholeFile: Object.keys(input).some((key) => CONTENT_KEY.test(key)) }
  }
  if (verb.some((word) => READ_WORDS.has(word))) return { ...named, kind: 'read', extent: readExtent(input) }
  return { ...named, kind: 'other' }
}

/** Secrets go before the cut: half of one is not recognized. */
function cutCommand(command: string): string {
  return redactSecrets(command).slice(0, MAX_COMMAND_CHARS)
}

function readShell(text: string): ToolAction {
  const command = cutCommand(text.trim().replaceAll(/\s+/g, ' '))
  const read = SHELL_READ.exec(command)
  if (read === null) return { kind: 'command', paths: [], extent: null, command, isWholeFile: false }
  const [, verb = '', options = '', path = ''] = read
  const isAll = /^(?:cat|nl|less|more|bat|type|Get-Content)$/.test(verb) && !/\d/.test(options)
  const extent = isAll ? null : `${verb}${options}`
  return { kind: 'read', paths: [normalizePath(path)], extent, command, isWholeFile: false }
}

function readExtent(input: JsonObject): string | null {
  const limits = Object.entries(input).filter(([key, value]) => value !== null && isExtentKey(key))
  return limits.length === 0 ? null : JSON.stringify(limits.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function stringAt(input: JsonObject, pattern: RegExp): string | null {
  for (const [key, value] of Object.entries(input)) {
    if (!pattern.test(key)) continue
    // Some shells take a list: `["bash", "-lc", "cat a.ts"]`.
    if (Array.isArray(value)) return String(/^-\w*c$/.test(String(value[1])) ? value[2] : value.join(' '))
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}

function stringsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' || value.length > 1_000 ? [] : [value.trim()]
  return Array.isArray(value) ? value.flatMap(stringsIn) : []
}
