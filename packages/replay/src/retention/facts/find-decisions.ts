const DECIDED = new RegExp(
  "(?<![\\w])(?:(?:we|i)(?:['’]ve| have)? (?:decided|chose|agreed|settled|picked)|(?:let['’]?s|we['’]?ll|i['’]?ll) (?:go with|use|keep|stick|switch|drop|skip)|" +
    '(?:the )?decision(?: is|:)|(?:go|going|went) with|decided (?:to|on|against)|chosen|opted|instead of|rather than|wir nehmen|entschieden|' +
    'on prend|décidé|decidimos)(?![\\w])|决定|选择了|就用',
  'i',
)
const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n+/
const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g
const MIN_CHARS = 16
const MAX_CHARS = 300

/** Sentences of user or model that settle something. Questions settle nothing. */
export function findDecisions(text: string): readonly string[] {
  return text
    .replaceAll(CODE_BLOCK, '\n')
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter(({ length }) => length >= MIN_CHARS && length <= MAX_CHARS)
    .filter((sentence) => !sentence.endsWith('?') && DECIDED.test(sentence))
}
