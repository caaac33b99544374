const STANDING = new RegExp(
  "(?<![\\w])(?:always|never|must(?:n't| not)?|from now on|do not|don'?t|don’t|make sure|ensure|remember|keep in mind|prefer|avoid|" +
    'only use|no longer|under no circumstances|at all times|whenever|every time|each time|instead of|should (?:not|never|always)|' +
    'immer|niemals|nie|ab jetzt|auf keinen fall|toujours|jamais|dorénavant|siempre|nunca)(?![\\w])|' +
    '不要|必须|记住|务必|禁止|一定要|请勿',
  'i',
)
/** What people say about themselves asks for nothing, unless it says what they want. */
const ABOUT_ONESELF =
  /(?<!\w)(?:I|we|they|he|she)(?:['’]\w+)?(?: \w+)? (?:always|never|don['’]?t|do not|must|no longer|remember|avoid)(?! want| like)(?!\w)/i
const MIN_INSTRUCTION_CHARS = 12

/** A person's sentences with standing force: what holds beyond the next answer. Pasted code and walls of text are none. */
export function findInstructions(text: string): readonly string[] {
  return findStatements(text, MIN_INSTRUCTION_CHARS).filter(
    (sentence) => STANDING.test(sentence) && !ABOUT_ONESELF.test(sentence),
  )
}

const DECIDED = new RegExp(
  "(?<![\\w])(?:(?:we|i)(?:['’]ve| have)? (?:decided|chose|agreed|settled|picked)|(?:let['’]?s|we['’]?ll|i['’]?ll) (?:go with|use|keep|stick|switch|drop|skip)|" +
    '(?:the )?decision(?: is|:)|(?:go|going|went) with|decided (?:to|on|against)|chosen|opted|instead of|rather than|wir nehmen|entschieden|' +
    'on prend|décidé|decidimos)(?![\\w])|决定|选择了|就用',
  'i',
)
const MIN_DECISION_CHARS = 16

/** Sentences of user or model that settle something. Questions settle nothing. */
export function findDecisions(text: string): readonly string[] {
  return findStatements(text, MIN_DECISION_CHARS).filter((sentence) => DECIDED.test(sentence))
}

const SENTENCE_END = /(?<=[.!?])\s+|(?<=[。！？])|\n+/
const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g
const MAX_CHARS = 300

/** Statements of usual length. Questions, pasted code and walls of text are none. */
function findStatements(text: string, minChars: number): readonly string[] {
  return text
    .replaceAll(CODE_BLOCK, '\n')
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter(({ length }) => length >= minChars && length <= MAX_CHARS)
    .filter((sentence) => !sentence.endsWith('?'))
}
