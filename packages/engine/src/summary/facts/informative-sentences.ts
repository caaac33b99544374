import { sliceHead } from '../../messages/slice-text.ts'
import { cleanLine } from './decision-facts.ts'
import { splitSentences } from './split-sentences.ts'

/** Greetings, thanks and offers of help: they come with every message and say nothing of this one. */
const SMALL_TALK =
  /^["'(\s]{0,3}(?:hi|hello|hey|thanks|thank you|thx|you'?re (?:very |most )?welcome|welcome|great|good(?: morning| evening| night|bye)?|bye|see you|ok(?:ay)?|sure|yes|no problem|sorry|of course|certainly|absolutely|let me know|feel free|if you (?:have|need)|is there anything|how can i|take care|hallo|danke|gern|bonjour|merci|hola|gracias|你好|您好|谢谢|感谢|不客气|再见|好的|当然|没问题|请问还有|こんにちは|ありがとう)(?![\p{L}\p{N}])|^(?:你好|您好|谢谢|感谢|不客气|再见|好的|当然)/iu
/** Announces the next step instead of reporting one. */
const ANNOUNCES =
  /^(?:now |next,? |first,? |ok(?:ay)?,? |good[,.!]? |great[,.!]? |let me |i'll |i will |i'm going to |let's |going to |time to |jetzt |als nächstes |maintenant |ahora |现在|接下来|让我|我来)/i
const REPORTS =
  /\b(?:done|fixed|works?|working|pass(?:es|ed|ing)?|complete[ds]?|finished|found|because|root cause|caused|created|added|removed|renamed|moved|replaced|updated|implemented|committed|pushed|merged|deployed|booked|cancelled|canceled|refund(?:ed)?|confirmed|failed|fails|error|bug|issue|problem|missing|broken|instead|result|means|therefore|turns out|successfully|now (?:uses|has|is)|fertig|behoben|erledigt|terminé|corrigé|listo|arreglado)\b|完成|修复|成功|失败|原因|因为|结果|已经|发现|错误/i
const PERSONAL =
  /\b(?:my (?:name|wife|husband|partner|son|daughter|kids?|child|children|mother|father|mom|dad|parents?|sister|brother|friend|boss|job|work|company|team|dog|cat|birthday|favou?rite|hobby|goal|dream|budget|address|phone|email|account|user id|reservation|order)|i(?:'m| am| was) (?:a|an|the|from|in|at|on|allergic|planning|learning|studying|working|looking|interested|afraid|worried|married|single)|i (?:live|work|study|like|love|enjoy|hate|prefer|play|collect|own|have|bought|went|visited|met|started|joined|plan|want|need|made|learned|read|watched)|i've (?:been|started|bought|moved|decided)|we (?:live|have|are planning))\b|我(?:叫|是|在|喜欢|爱|讨厌|有|住|打算|计划|最近|今天|昨天|刚|买|去|学|想|的(?:名字|工作|家|生日|朋友|爱好|梦想|目标))/i
const NAMES_SOMETHING =
  /`[^`]{2,80}`|《[^》]{1,40}》|"[^"\n]{3,80}"|“[^”\n]{2,80}”|(?:^|\s)[\w.-]+\/[\w./-]+|https?:\/\//
/** A file name in a listing, a shell prompt: nothing is said of it. */
const IS_ONE_WORD = /^[!-~]{1,200}$/
const PROPER_NAME = /(?<=[\p{Ll},;] )\p{Lu}[\p{L}]{2,}/gu

/** How much a sentence tells: 0 is nothing, about 5 a result with names and numbers. "Now write …" of a user is no announcement. */
export function scoreSentence(sentence: string, by: 'user' | 'assistant'): number {
  let score = 1
  if (SMALL_TALK.test(sentence)) score -= 2
  if (by === 'assistant' && ANNOUNCES.test(sentence)) score -= 2
  if (/[:：]$/.test(sentence)) score -= 1
  if (IS_ONE_WORD.test(sentence)) score -= 1.5
  if (/\d/.test(sentence)) score += 1
  if (NAMES_SOMETHING.test(sentence)) score += 1
  if (REPORTS.test(sentence)) score += 1
  if (PERSONAL.test(sentence)) score += 1
  const names = sentence.match(PROPER_NAME)?.length ?? 0
  return score + Math.min(1, names * 0.5)
}

export interface Picked {
  readonly text: string
  /** Of the best sentence in it. */
  readonly score: number
}

/** The most telling sentences of a text, in their own words and order, within `maxChars`; the first one counts for more. */
export function pickSentences(text: string, maxChars: number, by: 'user' | 'assistant'): Picked | null {
  const sentences = splitSentences(text)
    .map(cleanLine)
    .filter((sentence) => /[\p{L}\p{N}]{2}/u.test(sentence))
    .map((sentence, index) => ({ sentence, index, score: scoreSentence(sentence, by) + (index === 0 ? 0.5 : 0) }))
  const [best, ...others] = sentences.toSorted((a, b) => b.score - a.score || a.index - b.index)
  if (best === undefined) return null
  const picked = [best]
  let chars = best.sentence.length
  for (const other of others) {
    if (other.score < 1 || chars + other.sentence.length + 1 > maxChars) continue
    picked.push(other)
    chars += other.sentence.length + 1
  }
  picked.sort((a, b) => a.index - b.index)
  const words = picked.reduce(
    (joined, { sentence }) => (joined === '' ? sentence : joined + joint(joined) + sentence),
    '',
  )
  return { text: words.length <= maxChars ? words : `${sliceHead(words, maxChars)}…`, score: best.score }
}

/** Sentences bring their own end; lines of a list do not. */
function joint(text: string): string {
  if (/[。！？；」』》]$/.test(text)) return ''
  return /[.!?:;…)"”]$/.test(text) ? ' ' : '; '
}
