import type { Mention, MentionKind } from './mention.ts'

const WORD =
  /\d{1,3}(?:,\d{3})+(?:\.\d+)?|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_$@~./:\\#%+-]{3,200}/gu
const TRIMMED = /^[.:+\-\\/#@$~%]*?(?=[~/.]*[\p{L}\p{N}_$])|[.:+\-\\/#@$~%]+$/gu
const ENDINGS =
  'c|cc|cfg|conf|cpp|cs|css|csv|ex|exs|go|h|heex|hpp|html|ini|ipynb|java|js|json|jsonl|jsx|kt|lock|log|lua|md|mdx|mjs|php|png|po|pony|py|rb|rs|rst|sh|sql|svg|swift|toml|ts|tsx|txt|vue|xml|yaml|yml'
const FILE_NAME = new RegExp(`^[\\w.-]+\\.(?:${ENDINGS})$`, 'i')
const QUOTED = /"([^"\n]{4,80})"|`([^`\n]{4,80})`|“([^”\n]{2,80})”|「([^」\n]{2,60})」|《([^》\n]{2,60})》/gu
const NAME = /(?<=[\p{Ll},;)] )\p{Lu}\p{Ll}{2,30}(?: \p{Lu}\p{Ll}{1,30}){0,2}/gu

/** Everything in a text that might be referred to later, each once. */
export function findMentions(text: string): readonly Mention[] {
  const found = new Map<string, Mention>()
  const add = (kind: MentionKind, mention: string): void => {
    if (!found.has(mention)) found.set(mention, { kind, text: mention })
  }
  for (const [word] of text.matchAll(WORD)) {
    for (const bare of piecesOf(word.replaceAll(TRIMMED, ''))) {
      const kind = kindOf(bare)
      if (kind !== null) add(kind, bare)
    }
  }
  for (const groups of text.matchAll(QUOTED)) {
    const inner = (groups.slice(1).find((group) => group !== undefined) ?? '').trim()
    if (isWorthQuoting(inner)) add('quoted', inner)
  }
  for (const [name] of text.matchAll(NAME)) add('name', name)
  return [...found.values()]
}

/** The names in `this.session.runStep` are looked for one by one; a path, a file or a version stays whole. */
function piecesOf(word: string): readonly string[] {
  const isWhole = word.includes('/') || FILE_NAME.test(word) || /^[\d.v:,%-]+$/.test(word)
  return isWhole ? [word] : word.split(/[.:]+/)
}

function kindOf(word: string): MentionKind | null {
  if (word.length < 3) return null
  if (/^\d[\d.,:%-]*$/.test(word)) return countDigits(word) >= 3 ? 'number' : null
  if (word.length < 4) return null
  if (word.includes('/')) return isPath(word) ? 'path' : null
  if (FILE_NAME.test(word)) return 'path'
  if (/\d/.test(word) && /\p{L}/u.test(word) && word.length >= 5 && !/[._]/.test(word)) return 'code'
  const isJoined = /[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(word) || /\p{Ll}\p{Lu}/u.test(word)
  const isHyphenated = /^-{0,2}\p{L}+(?:-[\p{L}\p{N}]+){2,}$/u.test(word)
  return (isJoined && word.length >= 5) || isHyphenated ? 'identifier' : null
}

/** `and/or` and `1/2` are no paths. */
function isPath(word: string): boolean {
  return /\p{L}/u.test(word) && (/^[~./]/.test(word) || word.split('/').length > 2 || /[._-]/.test(word))
}

function countDigits(word: string): number {
  return word.replaceAll(/\D/g, '').length
}

/** One plain word in quotes is no more than a word; what has a kind of its own is found as that. */
function isWorthQuoting(inner: string): boolean {
  if (/^[\p{L}\p{M}]+$/u.test(inner)) return /\p{Script=Han}/u.test(inner)
  return /[\p{L}\p{N}]{2}/u.test(inner) && kindOf(inner) === null
}
