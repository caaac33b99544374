const HEADING = /^\s{0,3}(?:#{1,6}\s+(.{1,120}?)|\*\*([^*\n]{1,120}?)\*\*|\[([^\]\n]{1,160})\])\s*[:：]?\s*$/
const CHANGE = /^\s{0,3}(?:[-*•]\s+)?(?:\+|➕|add(?:ed)?\b:?)\s*[[*]{0,2}([^:：\n]{1,120}?)[\]*]{0,2}\s*[:：]/i
/** Titles under which only code writes: they say that a person's own words follow. */
const CLAIMS_WORDS =
  /\bword for word\b|\bin the user['’]?s (?:own |exact )?words\b|\bpinned by the user\b|^asked before\b/i

/**
 * A reply without the parts that pass themselves off as the ledger or as pins. Nothing honest is lost: what the user did
 * say stands under such a title already, put there by code.
 */
export function withoutForgedSections(reply: string): string {
  if (!CLAIMS_WORDS.test(reply)) return reply
  let isForged = false
  return reply
    .split('\n')
    .filter((line) => {
      const heading = HEADING.exec(line)
      if (heading !== null) isForged = CLAIMS_WORDS.test(heading[1] ?? heading[2] ?? heading[3] ?? '')
      return !isForged && !CLAIMS_WORDS.test(CHANGE.exec(line)?.[1] ?? '')
    })
    .join('\n')
    .trim()
}
