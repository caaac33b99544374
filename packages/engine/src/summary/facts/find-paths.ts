/** What paths are made of, by character code. */
const IS_PATH_CHAR = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[\w@.+~/\\-]/.test(String.fromCharCode(code))),
)
/** A name without a folder: with the ending of a file, hidden as settings are, or one of the names every project knows. */
const FILE_NAME =
  /(?<![\w@./\\:$-])(?:[\w+-][\w.+-]{0,80}\.(?:[cm]?[jt]sx?|json[cl5]?|md|mdx|txt|csv|tsv|ya?ml|toml|ini|cfg|conf|env|lock|log|py|ipynb|rs|go|java|kt|swift|rb|php|exs?|eex|heex|erl|hs|c|cc|cpp|h|hpp|cs|sh|bash|zsh|ps1|sql|html?|css|scss|less|vue|svelte|xml|svg|png|jpe?g|gif|webp|pdf|docx?|xlsx?|pptx?|zip|tar|gz|proto|graphql|tf|gradle|plist|wasm)|\.env(?:\.[a-z]{2,20})?|\.(?:[a-z]{2,20}(?:rc|ignore|config|attributes)|npmrc|nvmrc|node-version|tool-versions)|(?:Dockerfile|Makefile|Gemfile|Rakefile|Procfile|Justfile|Jenkinsfile|Vagrantfile|Brewfile|CMakeLists\.txt|CODEOWNERS))(?![\w/\\-]|\.\w)/g
/** Libraries and calls look like files too. */
const NO_FILE_NAME =
  /^(?:(?:node|next|nuxt|vue|react|express|nest|three|d3|chart|ember|backbone|socket|moment|p5|alpine|electron|discord)\.js|(?:process|import\.meta)\.env|(?:console|math|logger|np|torch)\.log)$/i
const MAX_NAME_SCAN_CHARS = 20_000

/** A path in a text is longer than a fraction and shorter than a base64 blob. */
const MIN_CHARS = 4
const MAX_CHARS = 300

/** Paths of files in a text, in order: with folders, and with an ending files have. Looks around slashes only, so long texts are cheap. */
export function findPaths(text: string, maxPaths: number): readonly string[] {
  const paths = new Set<string>()
  const slash = text.includes('/') ? '/' : '\\'
  let end = 0
  for (let at = text.indexOf(slash); at >= 0 && paths.size < maxPaths; at = text.indexOf(slash, end)) {
    let start = at
    while (start > end && isPathChar(text, start - 1)) start -= 1
    end = at + 1
    while (end < text.length && isPathChar(text, end)) end += 1
    const isAddress = text[start - 1] === ':' && text.startsWith('//', start)
    // `{old => new}/a.ts`, `${root}/a.ts`: the end of a path whose beginning is something else.
    if (text[start - 1] === '}' && start === at) start += 1
    if (isAddress || end - start > MAX_CHARS) continue
    const drive =
      slash === '\\' && /[A-Za-z]:$/.test(text.slice(Math.max(0, start - 2), start)) ? text.slice(start - 2, start) : ''
    const path =
      drive +
      text
        .slice(start, end)
        .replace(/^@(?=[\w.]+\/|\.|~|\/)/, '')
        .replace(/[.,+-]{1,10}$/, '')
    if (isFile(path)) paths.add(path)
  }
  return [...paths]
}

/** Names of files that stand alone, in order: `README.md`. Of a very long text only its beginning is read. */
export function findFileNames(text: string, maxNames: number): readonly string[] {
  const names = new Set<string>()
  for (const [name] of text.slice(0, MAX_NAME_SCAN_CHARS).matchAll(FILE_NAME)) {
    if (names.size >= maxNames) break
    if (!NO_FILE_NAME.test(name)) names.add(name)
  }
  return [...names]
}

function isPathChar(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code < 128 && IS_PATH_CHAR[code] === 1
}

function isFile(path: string): boolean {
  if (path.length < MIN_CHARS || path.length > MAX_CHARS || /^\d+[/\\]\d/.test(path)) return false
  return (
    /[^/\\.]\.[A-Za-z]\w{0,9}$/.test(path) ||
    /[/\\]\.[a-z][\w.]{1,30}$/.test(path) ||
    /(?:^|[/\\])(?:Dockerfile|Makefile|LICENSE|Gemfile|Rakefile|Procfile|Justfile)$/.test(path)
  )
}
