import { type FileTouch, readPatchPaths, type TouchedPath } from './patch-paths.ts'

const READS = new Set(
  'cat head tail less more bat nl wc grep egrep rg awk sed diff cmp file stat jq xxd sort uniq cut source node python python3 bash sh tsx deno bun ruby perl php vitest jest pytest'.split(
    ' ',
  ),
)
const CHANGES: Readonly<Record<string, FileTouch>> = {
  rm: 'deleted',
  unlink: 'deleted',
  tee: 'edited',
  touch: 'created',
  patch: 'edited',
  truncate: 'edited',
}
const MOVES = new Set(['mv', 'cp', 'install', 'ln'])
/** Their first word is a pattern, whatever it looks like. */
const SEARCHES = new Set(['grep', 'egrep', 'rg', 'awk', 'jq'])
const MAX_COMMAND_CHARS = 4_000
const MAX_TOKENS = 400

/** Files a shell line names, as far as its words tell. `cd` is followed; quoting is understood, expansion is not. */
export function readShellPaths(command: string): readonly TouchedPath[] {
  const touched: TouchedPath[] = [...readPatchPaths(command)]
  let folder = ''
  for (const words of splitCommands(command)) {
    const [verb = '', ...rest] = dropPrefixes(words)
    if (verb === 'cd') {
      folder = rest[0] === undefined || /[$~-]/.test(rest[0][0] ?? '') ? '' : joinPath(folder, rest[0])
      continue
    }
    for (const { path, touch } of readWords(verb, rest)) touched.push({ path: joinPath(folder, path), touch })
  }
  return touched
}

function readWords(verb: string, words: readonly string[]): readonly TouchedPath[] {
  const touched: TouchedPath[] = []
  const operands: string[] = []
  const pattern = SEARCHES.has(verb) ? words.findIndex((word) => !word.startsWith('-')) : -1
  words.forEach((word, index) => {
    if (index === pattern) return
    const into = /^(?:\d|&)?>>?\|?(.*)$/.exec(word)
    if (into !== null) {
      const target = into[1] === '' ? words[index + 1] : into[1]
      if (target !== undefined && isFilePath(target)) touched.push({ path: target, touch: 'edited' })
    } else if (!/^(?:\d|&)?>>?\|?$/.test(words[index - 1] ?? '') && isFilePath(word)) operands.push(word)
  })
  const touch = readVerb(verb, words)
  if (touch === null) return touched
  const isMove = touch === 'moved'
  operands.forEach((path, index) => {
    const isTarget = index === operands.length - 1
    if (isMove)
      touched.push(
        isTarget ? { path, touch: 'moved' } : { path, touch: /^(?:cp|ln|install)$/.test(verb) ? 'read' : 'deleted' },
      )
    else touched.push({ path, touch })
  })
  return touched
}

function readVerb(verb: string, words: readonly string[]): FileTouch | null {
  if (verb === 'sed' || verb === 'perl')
    return words.some((word) => /^-\w*i/.test(word) || word === '--in-place') ? 'edited' : 'read'
  if (verb === 'git') {
    if (words[0] === 'mv') return 'moved'
    if (words[0] === 'rm') return 'deleted'
    return null
  }
  if (MOVES.has(verb)) return 'moved'
  return CHANGES[verb] ?? (READS.has(verb) ? 'read' : null)
}

function dropPrefixes(words: readonly string[]): readonly string[] {
  let start = 0
  while (/^(?:sudo|time|env|nohup|exec|command|npx|then|do|else|\w+=.*)$/.test(words[start] ?? '')) start += 1
  return words.slice(start)
}

/** A word with an extension or with folders, of plain characters: `src/a.ts`, `README.md`, `/etc/hosts`. */
function isFilePath(word: string): boolean {
  if (
    word.length > 300 ||
    word.startsWith('-') ||
    (word.includes(' ') && !word.includes('/')) ||
    /^https?:|^\/dev\/|^\/?\.*\/?$/.test(word)
  )
    return false
  return (
    /^[\w@~.+/\\: -]+$/.test(word) &&
    (/[^/.]\.[A-Za-z]\w{0,9}$/.test(word) ||
      /^[~.]{0,2}\/(?:[\w.@+-]+\/)+[\w.@+-]+$/.test(word) ||
      /\/\.[a-z]\w*$/.test(word))
  )
}

function joinPath(folder: string, path: string): string {
  const plain = path.replace(/^(?:\.\/)+/, '')
  if (folder === '' || /^[/~]|^[A-Za-z]:[\\/]/.test(plain) || plain.startsWith('..')) return plain
  return `${folder.replace(/\/$/, '')}/${plain}`
}

const WORD = /"([^"\n]{0,1000})"|'([^'\n]{0,1000})'|(&&|\|\||[;|\n]|\d?>>?)|([^\s"';|<>&]+)/g

/** Words of each simple command; what follows a heredoc is data, not words. */
function splitCommands(command: string): readonly (readonly string[])[] {
  const shown = command.slice(0, MAX_COMMAND_CHARS)
  const heredoc = /<<-?\s?['"]?\w/.exec(shown)
  const lineEnd = heredoc === null ? -1 : shown.indexOf('\n', heredoc.index)
  const text = lineEnd === -1 ? shown : shown.slice(0, lineEnd)
  const commands: string[][] = [[]]
  let tokens = 0
  for (const [, double, single, operator, plain] of text.matchAll(WORD)) {
    if ((tokens += 1) > MAX_TOKENS) break
    if (operator !== undefined && !operator.includes('>')) commands.push([])
    else commands.at(-1)?.push(double ?? single ?? plain ?? operator ?? '')
  }
  return commands
}
