const REDACTED = '[redacted]'

/** Cheap to test: texts without any of these hold nothing the patterns below would find. */
const MAY_HOLD_SECRET =
  /sk-|[spr]k_|whsec_|A[KS]IA|gh[opsur]_|github_pat|glpat-|xox|AIza|ya29|npm_|hf_|SG\.|eyJ|PRIVATE KEY|pass|pwd|secret|token|key|auth|bearer|:\/\/[^\s/@]{0,200}@/i

/** Starts are fenced by what stands before them and repeats are bounded or disjoint, so that no input makes them slow. */
const WHOLE_SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
  /(?<![\w-])sk-(?=[A-Za-z_-]{0,60}\d)[\w-]{16,}/g,
  /(?<!\w)(?:[spr]k_(?:live|test)_|whsec_)\w{10,}/g,
  /(?<!\w)A[KS]IA[0-9A-Z]{16}(?!\w)/g,
  /(?<!\w)(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})/g,
  /(?<!\w)xox[a-z]-[\w-]{10,}/g,
  /(?<![\w-])AIza[\w-]{30,}/g,
  /(?<!\w)(?:ya29\.[\w-]{20,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,}|SG\.[\w-]{16,100}\.[\w-]{16,})/g,
  /(?<![\w-])eyJ[\w-]{8,5000}\.[\w-]{8,}(?:\.[\w-]+)?/g,
]

const AUTHORIZATION =
  /((?:authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token)?|(?<!\w)bearer)\s{1,3})([\w.~+/=-]{8,})/gi
const URL_PASSWORD = /(:\/\/[^\s/:@"']{0,100}:)[^\s/@"']{1,200}(?=@)/g
const NAMED_VALUE =
  /((?:password|passwd|passphrase|passwort|pwd|secret|(?:api|access|secret)[_-]?key|token)["']?\s{0,3}(?:=|:)\s{0,3})("[^"\n]{4,200}"|'[^'\n]{4,200}'|[^\s"'`,;&<>(){}[\]]{4,200})/gi

/**
 * What must not be carried from summary to summary: keys, passwords, private keys, session tokens. Hashes, uuids and
 * code that only names a secret (`password: string`, `token = readToken()`) stay. Never fails: it replaces and goes on.
 */
export function redactSecrets(text: string): string {
  if (!MAY_HOLD_SECRET.test(text)) return text
  let redacted = text
  for (const pattern of WHOLE_SECRETS) redacted = redacted.replace(pattern, REDACTED)
  return redacted
    .replace(AUTHORIZATION, (whole, name: string, value: string) => (isWord(value) ? whole : name + REDACTED))
    .replace(URL_PASSWORD, `$1${REDACTED}`)
    .replace(NAMED_VALUE, (whole, name: string, value: string) =>
      isSecretValue(name, value) ? name + REDACTED : whole,
    )
}

/** Types, literals and expressions stand where a secret could; only what looks like a value goes. */
function isSecretValue(name: string, value: string): boolean {
  const quoted = /^["']/.test(value)
  const bare = quoted ? value.slice(1, -1) : value
  if (bare.includes(REDACTED) || /^[$%{<*•.…]/.test(bare) || /process\.env|os\.environ|import\.meta/.test(bare))
    return false
  if (CODE_WORDS.has(bare.toLowerCase())) return false
  if (quoted) return !/\s/.test(bare) || /pass/i.test(name)
  if (/^\d{1,8}$/.test(bare)) return /pass|pwd/i.test(name)
  if (/\d/.test(bare)) return bare.length >= 6 && !/^[a-z]+(?:\.[a-z]\w*)+$/i.test(bare)
  return /pass|pwd/i.test(name) && /=\s*$/.test(name) && bare.length >= 6 && isWord(bare)
}

function isWord(value: string): boolean {
  return /^[A-Za-z]+$/.test(value)
}

const CODE_WORDS: ReadonlySet<string> = new Set(
  'string|number|boolean|null|undefined|true|false|none|required|optional|unknown|object|nil|self|this|secret|password|token'.split(
    '|',
  ),
)
