import { splitSentences } from './facts/split-sentences.ts'

export interface VerifiedText {
  readonly text: string
  /** Quotes that lost their marks because the user said it in other words. */
  readonly reworded: number
  /** Sentences left out because the user said nothing like it. */
  readonly invented: number
}

const QUOTE =
  /"([^"\n]{2,600})"|“([^“”\n]{2,600})”|„([^„“”\n]{2,600})[“”]|«([^«»\n]{2,600})»|「([^「」\n]{2,600})」|『([^『』\n]{2,600})』|‘([^‘’\n]{2,600})’(?!\p{L})|(?<![\p{L}\p{N}])'([^'\n]{2,600})'(?![\p{L}\p{N}])/gu
/** Groups of the pattern above; the next argument of a replacer is the place. */
const QUOTE_KINDS = 8
/** Somebody is said to have said it: a name for the user, then a word of speech, then the quote. */
const ATTRIBUTES = new RegExp(
  [
    String.raw`\b(?:users?|customers?|clients?|they|he|she)(?:'s|’s)?\b[^"“”„«»「」『』]{0,100}\b(?:said|says?|saying|told|asked|asks?|asking|wrote|writes?|request(?:s|ed|ing)?|want(?:s|ed)?|approv(?:es|ed|al)|confirm(?:s|ed|ation)|replied|repl(?:y|ies)|answer(?:s|ed)?|insist(?:s|ed)?|stat(?:es|ed)|instruct(?:s|ed|ions?)|words?|quote|message|feedback|prefer(?:s|red)?|agreed?|decided|directive|puts?(?: it)?)\b[^"“”„«»「」『』]{0,60}$`,
    String.raw`(?:^|[\s(*_-])(?:users?|customers?|clients?|benutzer|nutzer|kunde|utilisateur|usuario|用户|客户|ユーザー|사용자)\*{0,2}\s?[:：]\s?$`,
    String.raw`\b(?:benutzer\w*|nutzer\w*|kund\w+)\b.{0,100}\b(?:sagte?|fragte?|bat|schrieb|möchte|wollte|will|bestätigte?|verlangte?|antwortete)\b.{0,60}$`,
    String.raw`\b(?:utilisat\w+|client\w*)\b.{0,100}\b(?:dit|demand\w+|veut|voulait|écrit|confirm\w+|répondu|souhait\w+)(?![\p{L}]).{0,60}$`,
    String.raw`\b(?:usuari\w+|client\w*)\b.{0,100}\b(?:dijo|dice|pidió|pide|quiere|escribió|confirmó|respondió)(?![\p{L}]).{0,60}$`,
    '(?:用户|使用者|客户|ユーザー|사용자).{0,60}$',
  ].join('|'),
  'iu',
)
/** The same behind the quote: `", the user confirmed`, `", said the user`, `" – user`. */
const ATTRIBUTES_AFTER =
  /^[\s,.;!?]{0,4}(?:[–—(-]\s?(?:the )?(?:user|customer|client)\b(?=\s?[).,;:]|\s*$)|(?:(?:as|so|says|said|asked|wrote|told|confirmed|answered|replied|insisted)\s){1,2}(?:the )?(?:user|customer|client|they|he|she)\b|(?:the |our )?(?:user|customer|client|they|he|she)\b[^"“”„«»「」『』]{0,30}\b(?:said|says?|told|asked|asks|wrote|writes|request(?:s|ed)|wants?|wanted|approv(?:es|ed)|confirm(?:s|ed)|replied|replies|answer(?:s|ed)|insist(?:s|ed)|stat(?:es|ed)|instruct(?:s|ed)|agreed|decided|put it)\b)/iu
/** More than the patterns above look at before and behind a quote: a sentence can be as long as the text. */
const MAX_AROUND_CHARS = 400
/** Each is looked for in all that the user said. A summary has a few; what is put into the user's mouth beyond is not believed. */
const MAX_JUDGED = 400
/** Part of the words of one message that makes a quote a rewording of it. */
const REWORDED_SHARE = 0.6
/** A quote this short is an answer or an order ("yes, delete the old file"): nearly right is wrong. */
const SHORT_WORDS = 6

/**
 * Checks what a summary puts into the user's mouth against what the user said. Word for word (up to case, spaces and
 * punctuation) a quote stays. Reworded it stays without its marks. A sentence with a quote the user never came near leaves
 * the text whole: without marks it would still report an approval or an order nobody gave.
 */
export function verifyQuotes(text: string, userTexts: readonly string[]): VerifiedText {
  if (!/["“„«「『‘']/.test(text)) return { text, reworded: 0, invented: 0 }
  const judge = createJudge(userTexts)
  let reworded = 0
  let invented = 0
  const lines = text.split('\n').flatMap((line) => {
    const mark = /^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)?/.exec(line)?.[0] ?? ''
    const sentences = splitSentences(line.slice(mark.length))
    let isUnchanged = true
    const kept = sentences.flatMap((sentence) => {
      const checked = checkSentence(sentence, judge)
      if (checked === sentence) return [sentence]
      isUnchanged = false
      if (checked === null) invented += 1
      else reworded += 1
      return checked === null ? [] : [checked]
    })
    if (isUnchanged) return [line]
    return kept.length === 0 ? [] : [`${mark}${kept.join(' ')}`]
  })
  return { text: lines.join('\n'), reworded, invented }
}

/** The sentence as it may stand; null if it may not. */
function checkSentence(sentence: string, judge: Judge): string | null {
  let isInvented = false
  const checked = sentence.replace(QUOTE, (marked: string, ...groups: unknown[]) => {
    const quote = groups.slice(0, QUOTE_KINDS).find((group) => typeof group === 'string') ?? ''
    const at = Number(groups[QUOTE_KINDS])
    const end = at + marked.length
    const before = sentence.slice(Math.max(0, at - MAX_AROUND_CHARS), at)
    const after = sentence.slice(end, end + MAX_AROUND_CHARS)
    if (!ATTRIBUTES.test(before) && !ATTRIBUTES_AFTER.test(after)) return marked
    const verdict = judge(quote)
    if (verdict === 'invented') isInvented = true
    return verdict === 'said' ? marked : quote
  })
  return isInvented ? null : checked
}

type Verdict = 'said' | 'reworded' | 'invented'

type Judge = (quote: string) => Verdict

function createJudge(userTexts: readonly string[]): Judge {
  const said = userTexts.map(createSaid)
  let judged = 0
  return (quote) => {
    judged += 1
    return judged > MAX_JUDGED ? 'invented' : compare(quote, said)
  }
}

interface Said {
  readonly text: string
  readonly words: ReadonlySet<string>
}

function createSaid(text: string): Said {
  return { text: ` ${normalise(text)} `, words: new Set(wordsOf(text)) }
}

function compare(quote: string, said: readonly Said[]): Verdict {
  const pieces = quote
    .split(/\s?(?:\.\.\.|…|\[[^\]]{0,40}\])\s?/)
    .map(normalise)
    .filter((piece) => piece !== '')
  if (pieces.length === 0) return 'said'
  if (said.some(({ text }) => pieces.every((piece) => text.includes(isCjk(piece) ? piece : ` ${piece} `))))
    return 'said'
  const words = [...new Set(wordsOf(quote))]
  if (words.length <= SHORT_WORDS) return 'invented'
  const isReworded = said.some(
    (message) => words.filter((word) => message.words.has(word)).length / words.length >= REWORDED_SHARE,
  )
  return isReworded ? 'reworded' : 'invented'
}

function normalise(text: string): string {
  return wordsOf(text).join(isCjk(text) ? '' : ' ')
}

function isCjk(text: string): boolean {
  return /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(text)
}

/** CJK characters are words of their own. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .replace(/[’']/g, '')
      .match(/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|[\p{L}\p{N}]+/gu) ?? []
  )
}
