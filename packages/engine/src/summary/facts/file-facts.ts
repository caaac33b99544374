import { CHANGE_WORDS, LISTING_WORDS, isPathKey } from '../../messages/tool-vocabulary.ts'
import { isRecord } from '../../transcript/json.ts'
import type { AddMention } from './fact-collector.ts'
import { findFileNames, findPaths } from './find-paths.ts'
import { type FileTouch, readPatchPaths, type TouchedPath } from './patch-paths.ts'
import type { Said } from './reference-facts.ts'
import { readShellPaths } from './shell-paths.ts'
import type { ToolUse } from './tool-use.ts'

const BODY_KEYS = [
  'content',
  'contents',
  'new_string',
  'old_string',
  'newText',
  'oldText',
  'new_str',
  'old_str',
  'edits',
  'patch',
  'diff',
  'file_text',
]

/** Files a call opened or changed, by the path as it was given. A failed call changes nothing, and opens nothing. */
export function collectFiles(use: ToolUse, add: AddMention): void {
  const touches = [...readInputPaths(use), ...(use.command === null ? [] : readShellPaths(use.command))]
  const failed = use.outcome?.failed === true
  for (const { path, touch } of touches) {
    if (failed && (touch !== 'read' || use.command === null)) continue
    if (touch === 'read') add({ kind: 'file-read', text: path, by: 'assistant', entry: use.entry })
    else add({ kind: 'file-changed', text: path, note: touch, by: 'assistant', entry: use.entry })
  }
}

function readInputPaths({ call, words, command }: ToolUse): readonly TouchedPath[] {
  const patched = Object.values(call.input).flatMap((value) => (typeof value === 'string' ? readPatchPaths(value) : []))
  if (patched.length > 0) return patched
  const touch = command === null ? readTouch(call.input, words) : 'read'
  const isListing = words.some((word) => LISTING_WORDS.has(word))
  return findInputPaths(call.input, 0)
    .filter((path) => !isListing || /\.\w{1,10}$/.test(path))
    .map((path) => ({ path, touch }))
}

function readTouch(input: Readonly<Record<string, unknown>>, words: readonly string[]): FileTouch {
  const sub = typeof input['command'] === 'string' ? input['command'].trim() : ''
  const verbs = /^\w+$/.test(sub) ? [...sub.split('_'), ...(sub === 'view' ? [] : words)] : words
  if (sub === 'view') return 'read'
  if (verbs.some((verb) => /^(?:delete|remove|unlink)$/.test(verb))) return 'deleted'
  if (verbs.some((verb) => /^(?:move|rename)$/.test(verb))) return 'moved'
  if (verbs.includes('create') || (verbs.includes('write') && !verbs.includes('edit'))) return 'created'
  if (verbs.some((verb) => CHANGE_WORDS.has(verb))) return 'edited'
  return BODY_KEYS.some((key) => key in input) ? 'edited' : 'read'
}

const MAX_PATH_CHARS = 400

function findInputPaths(input: Readonly<Record<string, unknown>>, depth: number): readonly string[] {
  return Object.entries(input).flatMap(([key, value]): readonly string[] => {
    if (isPathKey(key)) return (Array.isArray(value) ? value : [value]).filter(isPath).map(cleanPath)
    if (depth > 2) return []
    if (Array.isArray(value))
      return value.slice(0, 50).flatMap((element) => (isRecord(element) ? findInputPaths(element, depth + 1) : []))
    return isRecord(value) ? findInputPaths(value, depth + 1) : []
  })
}

function isPath(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= MAX_PATH_CHARS &&
    /[./\\]/.test(value) &&
    /\w/.test(value) &&
    !/[\n*?{}|<>]|^https?:|\.\.\.$/.test(value)
  )
}

function cleanPath(path: string): string {
  return path.trim().replace(/^file:\/\/|^@(?=[\w./-]+\/)|^\.\//, '')
}

/** Said of a file that was named, not opened. */
export const MENTIONED = 'mentioned'

/** Files a text names. They are listed behind the ones that were opened. */
export function collectPathMentions(said: Said, maxPaths: number, add: AddMention): void {
  const paths = findPaths(said.text, maxPaths)
  for (const path of paths) add({ kind: 'file-read', text: path, note: MENTIONED, by: said.by, entry: said.entry })
  collectNameMentions(said, maxPaths - paths.length, add)
}

/** Files a text names without their folder. Such a name in what a program printed may be that of any file. */
export function collectNameMentions({ text, by, entry }: Said, maxNames: number, add: AddMention): void {
  for (const name of findFileNames(text, maxNames))
    add({ kind: 'file-read', text: name, note: MENTIONED, by, entry, isPassing: by === 'tool' })
}
