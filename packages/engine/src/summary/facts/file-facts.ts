import { isRecord } from '../../transcript/json.ts'
import type { AddMention } from './fact-collector.ts'
import { type FileTouch, readPatchPaths, type TouchedPath } from './patch-paths.ts'
import type { Said } from './reference-facts.ts'
import { readShellPaths } from './shell-paths.ts'
import type { ToolUse } from './tool-use.ts'

const PATH_KEYS =
  /^(?:(?:abs|absolute|relative|target|source|src|dest|destination|old|new|from|to|notebook|input|output)?_?(?:file|path|filepath|file_?path|file_?name)s?|destination|uri)$/i
const NAMES_A_CHANGE = new Set(
  'write edit multiedit patch create delete remove move rename replace insert update append save modify put overwrite unlink'.split(
    ' ',
  ),
)
const LISTS = new Set('glob grep search find list ls tree rg query lookup'.split(' '))
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
  const isListing = words.some((word) => LISTS.has(word))
  return findPaths(call.input, 0)
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
  if (verbs.some((verb) => NAMES_A_CHANGE.has(verb))) return 'edited'
  return BODY_KEYS.some((key) => key in input) ? 'edited' : 'read'
}

const MAX_PATH_CHARS = 400

function findPaths(input: Readonly<Record<string, unknown>>, depth: number): readonly string[] {
  return Object.entries(input).flatMap(([key, value]): readonly string[] => {
    if (PATH_KEYS.test(key)) return (Array.isArray(value) ? value : [value]).filter(isPath).map(cleanPath)
    if (depth > 2) return []
    if (Array.isArray(value))
      return value.slice(0, 50).flatMap((element) => (isRecord(element) ? findPaths(element, depth + 1) : []))
    return isRecord(value) ? findPaths(value, depth + 1) : []
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

/** Folders and a last name with an extension, or an absolute path; one start per run of characters. */
const PATH = /(?<![\w@.~:/\\+-])@?(?:~\/|\.{1,2}\/|\/|[A-Za-z]:\\)?(?:[\w@.+-]{1,80}[/\\]){1,20}[\w@.+-]{0,120}/g
/** A name of its own counts where a person or a model wrote it and its ending is one of a file. */
const FILE_NAME =
  /(?<![\w@./\\:-])[\w+-][\w.+-]{0,80}\.(?:[cm]?[jt]sx?|json[cl5]?|md|mdx|txt|csv|tsv|ya?ml|toml|ini|cfg|conf|env|lock|log|py|ipynb|rs|go|java|kt|swift|rb|php|exs?|eex|heex|erl|hs|c|cc|cpp|h|hpp|cs|sh|bash|zsh|ps1|sql|html?|css|scss|less|vue|svelte|xml|svg|png|jpe?g|gif|webp|pdf|docx?|xlsx?|pptx?|zip|tar|gz|proto|graphql|tf|gradle|plist|wasm)(?![\w/\\-])/g

/** Said of a file that was named, not opened. */
export const MENTIONED = 'mentioned'

/** Files a text names. They are listed behind the ones that were opened. */
export function collectPathMentions({ text, by, entry }: Said, maxPaths: number, add: AddMention): void {
  const paths = new Set<string>()
  if (/[/\\]/.test(text)) {
    for (const { 0: match, index } of text.matchAll(PATH)) {
      if (text[index + match.length] === ':' && text.startsWith('//', index + match.length + 1)) continue
      const path = match.replace(/^@(?=[\w.]+\/|\.|~|\/)/, '').replace(/[.,+-]{1,10}$/, '')
      if (isFile(path)) paths.add(path)
      if (paths.size >= maxPaths) break
    }
  }
  if (by !== 'tool') for (const [name] of text.matchAll(FILE_NAME)) paths.add(name)
  for (const path of [...paths].slice(0, maxPaths)) add({ kind: 'file-read', text: path, note: MENTIONED, by, entry })
}

function isFile(path: string): boolean {
  if (path.length < 4 || path.length > 300 || /^\d+[/\\]\d/.test(path)) return false
  return (
    /[^/\\.]\.[A-Za-z]\w{0,9}$/.test(path) ||
    /[/\\]\.[a-z][\w.]{1,30}$/.test(path) ||
    /(?:^|[/\\])(?:Dockerfile|Makefile|LICENSE|Gemfile|Rakefile|Procfile|Justfile)$/.test(path)
  )
}
