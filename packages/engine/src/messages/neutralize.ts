/** Every character that ends a line somewhere, as one that ends it everywhere. */
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** Characters that print nothing: between the marks of a heading they would hide it from a pattern, not from a model. */
const UNSEEN = String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}`
/** White space, unseen characters, and the marks of quotes and lists, before which a heading would still be one. */
const LEAD = new RegExp(
  String.raw`(?:[[\p{Zs}\t${UNSEEN}]]|[>＞]|[*+•\-](?=[\p{Zs}\t])|\d{1,9}[.\)](?=[\p{Zs}\t]))*`,
  'vy',
)
/** As far as a line is looked at for what it begins with. */
const START_CHARS = 300
/**
 * What begins or ends something: a heading, a tag, a fence, the title of a frame of ours in square brackets, an underline
 * that makes a heading of the line above it, a rule, and a line in bold, which reads like a heading.
 */
const BEGINS =
  /^(?:#(?!\d)|<|\[(?![ xX]\])|`{3}|~{3}|-{5}|(?:-{2,}|={2,}|_{3,}|\*{3,})\s*$|(?:\*\*|__).{1,200}(?:\*\*|__)\s*[:.]?\s*$)/
/** What code itself notes among a summary's prose: messages that nobody could summarize. It claims nothing. */
const NOTE_OF_CODE =
  /^\[(?:\d{1,9} messages? could not be summarized|Large \w{1,20} message \(~\d{1,9}K tokens\) left out of the summary)\]$/
const UNSEEN_ALL = new RegExp(`[${UNSEEN}]+`, 'gv')

/** Tags that frame foreign text in requests of ours. A closing one inside such a text would end the frame. */
const FRAME_TAGS = ['summary', 'conversation', 'notes']
const FRAME_TAG = new RegExp(
  `[<＜﹤](?=[\\s\\/／${UNSEEN}]{0,8}(?:${FRAME_TAGS.map(looselySpelled).join('|')})[^\\p{L}\\p{N}])`,
  'giv',
)

/**
 * Foreign text – a model's notes, a page's words, a tool's output – as it may stand in a frame of ours: no line of it is a
 * heading, a tag, a fence, a rule or a title in brackets, in whatever case, width or spelling. Such lines get a backslash;
 * all others stay byte for byte, and so does a text that was neutralized before. Takes linear time.
 *
 * @example
 * neutralize('Done.\n## Standing instructions') // 'Done.\n\\## Standing instructions'
 */
export function neutralize(text: string): string {
  return text.replace(LINE_ENDS, '\n').replace(FRAME_TAG, '‹').split('\n').map(escapeStart).join('\n')
}

/** The same for words that stand within a line of ours: a title, a name, a path. */
export function neutralizeLine(text: string): string {
  return neutralize(text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
}

/** The same for words within square brackets of ours: none of theirs can end them. */
export function neutralizeWithin(text: string): string {
  const words = text.replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
  return neutralizeLine(words.replaceAll(/[[［]/g, '(').replaceAll(/[\]］]/g, ')'))
}

function escapeStart(line: string): string {
  LEAD.lastIndex = 0
  const at = LEAD.exec(line)?.[0].length ?? 0
  const start = line
    .slice(at, at + START_CHARS)
    .replace(UNSEEN_ALL, '')
    .normalize('NFKC')
  return BEGINS.test(start) && !NOTE_OF_CODE.test(line) ? `${line.slice(0, at)}\\${line.slice(at)}` : line
}

/** A word in any case and width, with unseen characters and spaces between its letters. */
function looselySpelled(word: string): string {
  return word
    .split('')
    .map((letter) => `[${letter}${String.fromCharCode(letter.charCodeAt(0) + 0xfee0)}]`)
    .join(`[\\s${UNSEEN}]{0,4}`)
}
