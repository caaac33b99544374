/**
 * What the names of tools and of their arguments say about files. One home, because pruning and the ledger must agree on
 * which call changed a file.
 */

/** Words of the tool's own name, lower case; prefixes of servers are left out: `mcp__fs__readTextFile` is read, text, file. */
export function toolWords(name: string): readonly string[] {
  const own =
    name
      .slice(0, MAX_NAME_CHARS)
      .split(/__|[.:/]/)
      .at(-1) ?? name
  return own
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

const MAX_NAME_CHARS = 200

export const CHANGE_WORDS: ReadonlySet<string> = new Set(
  (
    'write edit multiedit patch create delete remove unlink move rename replace insert update append save modify put ' +
    'overwrite undo'
  ).split(' '),
)

/** A tool that tells about files without giving their content. */
export const LISTING_WORDS: ReadonlySet<string> = new Set(
  'glob grep rg search find query lookup list ls tree dir directory folder info metadata stat status diff'.split(' '),
)

/** `path`, `file_path`, `absolutePath`, `target_file`, `notebook_path` and the like. */
export function isPathKey(key: string): boolean {
  return PATH_KEY.test(key)
}

const PATH_KEY =
  /^(?:(?:abs|absolute|relative|target|source|src|dest|destination|old|new|from|to|notebook|input|output)?_?(?:file|path|filepath|file_?path|file_?name)s?|destination|uri)$/i

/** `offset`, `line_range`, `endLine` and the like: an argument that names a part of a file. */
export function isExtentKey(key: string): boolean {
  return toolWords(key).some((word) => EXTENT_WORDS.has(word))
}

const EXTENT_WORDS = new Set(
  'offset limit range ranges line lines start end from to head tail page pages section cell'.split(' '),
)

/** A path that can be compared: `./src//a.ts`, `src\a.ts` and `src/b/../a.ts` are all `src/a.ts`. */
export function normalizePath(path: string): string {
  const steps: string[] = []
  const [first = '', ...rest] = path.trim().split(/[\\/]+/)
  for (const step of [first, ...rest]) {
    if (step === '.' || (step === '' && steps.length > 0)) continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..' && steps.at(-1) !== '') steps.pop()
    else steps.push(step)
  }
  return steps.join('/')
}
