import {
  CHANGE_WORDS,
  LISTING_WORDS,
  isExtentKey,
  isPathKey,
  normalizePath,
  toolWords,
} from '../messages/tool-vocabulary.ts'
import type { JsonObject } from '../transcript/json.ts'
import type { ToolCallPart } from '../transcript/message.ts'

/** What a tool call does to a file, as far as its name and input tell. */
export interface FileAccess {
  /** Comparable: `./src//a.ts` and `src\a.ts` are both `src/a.ts`. */
  readonly path: string
  readonly kind: 'read' | 'change'
  /** Which part of the file was read; null is all of it. */
  readonly extent: string | null
}

const READ_WORDS = new Set('read view cat open show load contents content'.split(' '))
const MAX_PATH_CHARS = 1_000

const accesses = new WeakMap<ToolCallPart, { readonly access: FileAccess | null }>()

/** null: the call names no file, or nothing says that it reads or changes one. Remembered per call. */
export function readFileAccess(call: ToolCallPart): FileAccess | null {
  const known = accesses.get(call)
  if (known !== undefined) return known.access
  const access = findAccess(call)
  accesses.set(call, { access })
  return access
}

function findAccess({ toolName, input }: ToolCallPart): FileAccess | null {
  const path = readPath(input)
  const kind = findKind(toolName, input['command'])
  if (path === null || kind === null) return null
  return { path, kind, extent: kind === 'read' ? readExtent(input) : null }
}

/** The file a call names, whatever it does with it. */
export function readPath(input: JsonObject): string | null {
  for (const [key, value] of Object.entries(input)) {
    if (!isPathKey(key)) continue
    if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_PATH_CHARS) return normalizePath(value)
  }
  return null
}

/** Some editors are one tool with a `command`; there it decides, not the name. */
function findKind(toolName: string, command: unknown): FileAccess['kind'] | null {
  const named = kindOf(toolName)
  return typeof command === 'string' && named !== null ? (kindOf(command) ?? named) : named
}

function kindOf(name: string): FileAccess['kind'] | null {
  const words = toolWords(name)
  if (words.some((word) => LISTING_WORDS.has(word))) return null
  if (words.some((word) => CHANGE_WORDS.has(word))) return 'change'
  return words.some((word) => READ_WORDS.has(word)) ? 'read' : null
}

function readExtent(input: JsonObject): string | null {
  const limits = Object.entries(input).filter(([key, value]) => value !== null && isExtentKey(key))
  return limits.length === 0 ? null : JSON.stringify(limits.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
