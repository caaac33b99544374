import type { Effect } from './fact.ts'

const EXTENSIONS =
  'ts|tsx|js|jsx|mjs|cjs|json|jsonl|json5|md|mdx|txt|py|rb|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|sh|sql|html|css|scss|yml|yaml|' +
  'toml|ini|cfg|conf|lock|ex|exs|erl|heex|eex|swift|vue|svelte|csv|tsv|xml|log|svg|png|jpg|pdf|ipynb|proto|gradle|dart|lua|scala'
const PATH_IN_TEXT = new RegExp(
  `(?<![\\w.@~/-])(?:(?:~?/|\\.{1,2}/)?(?:[\\w.@+-]+/)+[\\w.@+-]*\\w\\.[a-z][a-z0-9]{0,5}|[\\w-][\\w.-]*\\.(?:${EXTENSIONS}))(?![\\w/])`,
  'g',
)
const URL = /(?<![a-z+])[a-z][a-z+]*:\/\/\S+/gi
/** Libraries and calls that look like files. */
const NOT_A_FILE = /^(?:(?:node|next|vue|nuxt|react|express|three|d3|discord|alpine)\.js|console\.log)$/i

const CHANGING_COMMAND = /^(?:rm|mv|touch|tee|truncate|ln|install|patch|git (?:mv|rm|restore|checkout))\b/
const IN_PLACE_EDIT = /^(?:sed|perl)\b.*\s-\w*i/

/** Paths written in prose, code or output. Paths with spaces are not seen. */
export function findPaths(text: string): readonly string[] {
  return [...text.replaceAll(URL, ' ').matchAll(PATH_IN_TEXT)].flatMap(([path]) => {
    const clean = cleanPath(path)
    return clean === '' || NOT_A_FILE.test(clean) ? [] : [clean]
  })
}

/** The path without what says nothing about the file: a mention's @, a leading ./ or ~/. */
export function cleanPath(path: string): string {
  return path
    .trim()
    .replace(/^@/, '')
    .replace(/^(?:\.{1,2}\/|~\/)+/, '')
    .replace(/(?<![.,:;])[.,:;]+$/, '')
}

/** The files in a shell command, and whether it wrote, moved or removed them. */
export function findShellFiles(command: string): readonly { readonly path: string; readonly effect: Effect }[] {
  return command.split(/&&|\|\||[;|\n]/).flatMap((piece) => {
    const simple = piece.trim().replace(/^(?:\w+=\S*\s+|sudo\s+)+/, '')
    const changesAll = CHANGING_COMMAND.test(simple) || IN_PLACE_EDIT.test(simple)
    const written = [...simple.matchAll(/>{1,2}\s*["']?([^\s"'&>]+)/g)].map(([, target = '']) => cleanPath(target))
    const paths = findPaths(simple)
    const lastOfCopy = /^cp\b/.test(simple) ? paths.at(-1) : undefined
    return paths.map((path) => ({
      path,
      effect: changesAll || path === lastOfCopy || written.includes(path) ? ('changed' as const) : ('read' as const),
    }))
  })
}
