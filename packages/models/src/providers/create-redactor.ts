import { redactSecrets } from '@longhaul/engine/advanced'

const BLACKED_OUT = '[redacted]'

/** Shorter ones would black out ordinary words; no vendor hands out such keys. */
const MIN_SECRET_CHARS = 6

/** Keys in the forms in which endpoints quote them, beside those the engine knows from conversations. */
const QUOTED_BY_ENDPOINTS: readonly RegExp[] = [
  /(?<![\w-])(?:xai|gsk|csk|fw|nvapi|pplx|r8)[-_][\w-]{12,}/g,
  // Half blacked out by the vendor: what is left still tells whose it is.
  /(?:(?<![\w-])[\w-]+)?\*{4,}[\w-]*/g,
  /(?<=[?&](?:key|api_key|access_token|token)=)[^&\s"']+/gi,
]

/** Takes the given secrets out of a text, wherever they stand, and whatever looks like one, before anybody sees it. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  // Longest first: a key may begin with another one.
  const known = secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS).toSorted((a, b) => b.length - a.length)
  return (text) => {
    let redacted = text
    for (const secret of known) redacted = redacted.replaceAll(secret, BLACKED_OUT)
    for (const pattern of QUOTED_BY_ENDPOINTS) redacted = redacted.replace(pattern, BLACKED_OUT)
    return redactSecrets(redacted)
  }
}
