import { findStatements } from './find-statements.ts'

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
const MIN_CHARS = 12

/** A person's sentences with standing force: what holds beyond the next answer. Pasted code and walls of text are none. */
export function findInstructions(text: string): readonly string[] {
  return findStatements(text, MIN_CHARS).filter((sentence) => STANDING.test(sentence) && !ABOUT_ONESELF.test(sentence))
}
