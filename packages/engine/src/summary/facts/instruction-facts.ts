import { shortenEnd } from '../../messages/shorten.ts'
import type { MessageEntry } from '../../transcript/entry.ts'
import type { AddMention } from './fact-collector.ts'
import { splitSentences } from './split-sentences.ts'

const MAX_CHARS = 500
const MAX_PER_MESSAGE = 12
/** A longer message is mostly pasted; what its writer wants stands at its ends. */
export const MAX_WRITTEN_CHARS = 6_000
const END_CHARS = 2_500

/**
 * Where an order can begin. "I don't know" and "they came but never left" are reports; "but never touch it" is an order.
 * The look back over the sentence comes behind the word that asks for it: from every letter it would take the square of its length.
 */
const ENGLISH_START = String.raw`(?:^["'(*_-]{0,3}|[,;:(–—-] {0,2}|\b(?:please|pls|also|just|btw|again|that you|you should|you must|you can)\s|\b(?=(?:and|but|or|so|then)\s)(?<!\b(?:i|i'm|i've|my|he|she|they|we|it|who|people)\b.*)(?:and|but|or|so|then)\s)`
const GERMAN_START = String.raw`(?:^|[,;:(–-] {0,2}|\b(?:und|aber|bitte|du|also|dann|dass du)\s)`
const CHINESE_START = '(?:^|[，,；;：:、（(]|请|你要|你们|您|都要|一律)'

/** Words that bind beyond the task at hand, in the languages people write to assistants in. */
const STANDING = new RegExp(
  [
    String.raw`${ENGLISH_START}(?:always|never|don'?t|dont|do not|only (?:use|do|ever|answer|reply|write|change|edit|run)|avoid|refrain|stop \w+ing|make sure|be sure|ensure|remember|keep in mind|bear in mind|prefer\b|stick (?:to|with)|no more)\b`,
    String.raw`\b(?:from now on|from here on|going forward|at all times|under no circumstances|no matter what|until i (?:say|tell)|as a rule|by default|(?:every|each) time you|whenever you|not allowed|forbidden|off[- ]limits|the rule is|house rules?|ground rules?)\b`,
    String.raw`(?<!\b(?:i|we|he|she|they|there|who|people)\s)\b(?:must(?: not|n'?t)?|mustn'?t|shall(?: not)?|should(?: not|n'?t| never| always| only)|may not|can only)\b(?! (?:be|have) (?:very|so|really|been|a mistake|something|nice|hard|difficult|tough|great|fun|exciting))`,
    String.raw`\bi(?:'d| would)?(?: really| strongly| much| generally| usually)? (?:prefer|rather|insist|expect you|only (?:want|use|need|like|eat|drink|fly)|never (?:want|use|eat|drink|fly)|do(?:n'?t| not) (?:want|like|use|eat|drink|care))\b|\bi would (?:only|never|always)\b`,
    String.raw`\bplease (?:keep|use|avoid|stick|answer|reply|respond|write|speak|note|stay|refer)\b|${ENGLISH_START}(?:use|write|call|name|put|keep|answer|reply|format) [^.!?\n]{1,80}(?:\binstead\b|\brather than\b|, not\b|\bnot in\b)|\bin (?:the )?future,? (?:please|you|use|always|never|don'?t|do|add|write|ask)\b|\b(?:my name is|call me|i am called|(?:i'm|i am) (?:allergic|vegan|vegetarian|diabetic|colou?r-?blind))\b|^(?:important|rules?|requirements?|constraints?|note)\s?:`,
    String.raw`${GERMAN_START}(?:immer|niemals|nie|nur noch|keine?n?|nicht|vermeide|verwende|benutze|achte|merk|denk|vergiss)\b|\bbitte (?:antworte|schreib\w*|nutze|halte|bleib)\b|\b(?:ab jetzt|ab sofort|von nun an|künftig|in zukunft|vergiss nicht|merk dir|denk(?:e)? daran|darf(?:st)? (?:nicht|kein\w*|nie)|muss(?:t)? (?:immer|stets|unbedingt)|soll(?:st|te|ten)? (?:nicht|kein\w*|immer|nie|nur)|ich (?:bevorzuge|mag kein\w*|will kein\w*|möchte (?:nicht|kein\w*|nur))|mein name ist|ich heiße|nenn mich)\b|\bverwende [^.!?\n]{1,60}\bstatt\b`,
    String.raw`(?:^|[\s,;:('’])(?:désormais|dorénavant|à partir de maintenant|à l'avenir|souviens-toi|rappelle-toi|n'oublie(?:z)? (?:pas|jamais)|ne \S{2,20}(?: \S{1,12})? (?:pas|jamais|plus)\b|utilise(?:z)? (?:toujours|plutôt)|réponds toujours|il faut toujours|tu (?:dois|ne dois)|vous (?:devez|ne devez)|je préfère|évite(?:z)? |veuillez|je m'appelle|appelle-moi)`,
    String.raw`(?:^|[\s,;:(¡])(?:de ahora en adelante|a partir de ahora|en (?:el )?futuro|recuerda|acuérdate|no olvides|no (?:uses|hagas|debes|toques|cambies|escribas|borres)|(?:usa|responde|escribe|haz) siempre|siempre (?:usa|responde|escribe|haz)|nunca (?:uses|hagas|toques|cambies|escribas|borres)|deb(?:e|es) (?:siempre|usar|ser)|prefiero|evita |por favor (?:no|usa|mantén|siempre|nunca)|me llamo|llámame)`,
    `${CHINESE_START}(?:总是|始终|永远|一律|务必|必须|不要|不许|不准|别再|别用|禁止|只用|只能|尽量|记住|记得|牢记|一定要|避免|优先|不得|切勿)|请(?:用|保持|始终|记住|不要|勿|务必|叫我|只)|从现在起|从今以后|从今天起|今后(?:请|都|不|你)|以后(?:请|都|不要|别|你|一律|回答|每次|要)|改用|而不是用|叫我|我叫|我更喜欢|我不喜欢|我只(?:要|用|吃|喝|想)|过敏`,
    '必ず|決して|今後は|これからは|忘れないで|覚えておいて|しないで|してはいけ|使わないで|代わりに|私の名前は|항상 \\S{1,12}(?:줘|세요|하)|절대|앞으로는?|기억해|하지 마|반드시|제 이름은',
  ].join('|'),
  'i',
)
const IS_QUESTION = /[?？]["'”’)\]]{0,3}$/
const BINDS_THOUGH_ASKED =
  /\b(?:from now on|always (?!been|was)|please (?:keep|use|always|never|don'?t|make sure)|in (?:the )?future)\b|记住|请(?:始终|不要)/i

/** Sentences of the user that stand: in the user's own words, in order. */
export function collectInstructions(text: string, entry: MessageEntry, add: AddMention): void {
  let left = MAX_PER_MESSAGE
  for (const sentence of splitSentences(writtenPart(text))) {
    if (left === 0) return
    if (!isStanding(sentence)) continue
    left -= 1
    add({ kind: 'instruction', text: shortenEnd(sentence, MAX_CHARS), by: 'user', entry })
  }
}

/** A question asks about now, unless it asks for a habit. */
export function isStanding(sentence: string): boolean {
  if (sentence.length < 4 || sentence.length > 1_500 || !STANDING.test(plain(sentence))) return false
  return !IS_QUESTION.test(sentence) || BINDS_THOUGH_ASKED.test(sentence)
}

/** Without its bullet, and with the apostrophe of the patterns. */
function plain(sentence: string): string {
  return sentence.replace(/^(?:[-*+•]|\d{1,3}[.)])\s+/, '').replaceAll('’', "'")
}

export function writtenPart(text: string): string {
  if (text.length <= MAX_WRITTEN_CHARS) return text
  const head = text.slice(0, END_CHARS)
  const tail = text.slice(-END_CHARS)
  return `${head.slice(0, head.lastIndexOf('\n') + 1 || END_CHARS)}\n${tail.slice(tail.indexOf('\n') + 1)}`
}
