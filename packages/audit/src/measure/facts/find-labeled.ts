import { KNOWN_WORDS } from './common-names.ts'
import { foldName } from './fold-name.ts'
import type { FoundMention } from './mention.ts'

/** A word that says what the next one is: `tenant code ORION-7`, `"bucket": "blue-heron"`, `the ticket is called KV-4`. */
const LABELED =
  /(?<![\p{L}\p{N}])(?:code|codename|id|key|tenant|token|ticket|issue|branch|account|customer|client|order|reference|ref|hostname|region|cluster|bucket|queue|topic|username|serial|license|flag|channel)(?=(["'`*]{0,3}(?: ?[:=]| is| named| called)?[ ]?["'`*“]{0,3})([\p{L}\p{N}][\p{L}\p{N}_-]{3,40})(?![\p{L}\p{N}_]))/giu
const LETTERS = /^\p{Lu}{4,20}$/u
const JOINED = /^(?=.{4,40}$)[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*$/u

/** Finds names and codes that would be nothing by themselves, but that a text introduces. */
export function findLabeled(text: string, found: FoundMention): void {
  for (const match of text.matchAll(LABELED)) {
    const [label, between = '', value = ''] = match
    if (!isNameable(value)) continue
    found({ key: foldName(value), kind: 'code', text: value, label: null }, match.index + label.length + between.length)
  }
}

/** Capitals only, or letters with a digit or a hyphen: a word that could be somebody's code. */
export function isNameable(word: string): boolean {
  if (KNOWN_WORDS.has(word.toLowerCase()) || SHOUTED.has(word)) return false
  return LETTERS.test(word) || (JOINED.test(word) && /\p{L}/u.test(word) && /[\d-]/.test(word))
}

/** Words that are written in capitals to be loud, or that name formats and commands of a language. */
const SHOUTED: ReadonlySet<string> = new Set(
  (
    'TODO FIXME NOTE NULL NONE TRUE FALSE JSON HTML HTTP HTTPS YAML TOML UUID REST POST PATCH DELETE HEAD OPTIONS SELECT ' +
    'INSERT UPDATE WHERE FROM TABLE PRIMARY FOREIGN UNIQUE INTEGER TEXT VARCHAR IMPORTANT WARNING ERROR INFO DEBUG MUST ' +
    'NEVER ALWAYS ONLY THIS THAT HEAD PASS FAIL FAILED README LICENSE ASCII BASE API'
  ).split(' '),
)
