import { sliceTail, splitSentences } from '@longhaul/engine/advanced'
import { isQuestion } from '../reading/is-question.ts'
import { termsOf } from '../reading/terms.ts'

export interface Question {
  readonly text: string
  /** What it is about, each once. */
  readonly terms: readonly string[]
  /** What kind of thing is asked for ("which *city*"): an answer need not say it. */
  readonly kindTerm: string | null
  /** How a fitting answer looks; null where anything may fit. */
  readonly expects: RegExp | null
  /** Its subject is the speaker: only what the speaker said of themselves answers it. */
  readonly isOnSpeaker: boolean
  /** Wants all there is, not the one best sentence. */
  readonly isList: boolean
}

const MAX_QUESTIONS = 6
/** Of a longer sentence the end asks; what stands before it was pasted. */
const MAX_QUESTION_CHARS = 1_000
const NEXT_QUESTION = /(?<!\s)(?:[,;]\s+|(?<![,;])\s+)and\s+(?=(?:what|who|whose|which|where|when|why|how)\b)/i
const WANTS_ALL =
  /\b(?:all|every|everything|list|each|what (?:are|were|else)|what do (?:you|we) know|which \w+s (?:are|were|did|do|have))\b|哪些|所有|全部/i

const EXPECTED: readonly { readonly asks: RegExp; readonly looks: RegExp }[] = [
  {
    asks: /\bwhen\b|\b(?:what|which) (?:time|date|day|month|year)\b|deadline|birthday|几[点号]|什么时候|いつ|언제/i,
    looks:
      /\b\d[\d.,:/-]*[a-z]{0,3}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|tomorrow|tonight|noon|midnight)\b|[一二三四五六七八九十]/i,
  },
  {
    asks: /\bhow (?:many|much|old|long|far|big|large|tall|high|often)\b|\b(?:port|number|version|percentage)\b|多少|几个|몇/i,
    looks:
      /\b\d[\d.,:/-]*[a-z]{0,3}\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice)\b|[一二三四五六七八九十百千]/i,
  },
  {
    asks: /\bwhy\b|\breason\b|为什么|なぜ|왜/i,
    looks: /\b(?:because|since|so that|due to|reason|in order to|otherwise|caused?)\b|因为|为了|から|ため|때문/i,
  },
]

/** The questions of a text, in order. A text that asks nothing has none. */
export function readQuestions(ask: string): readonly Question[] {
  return splitSentences(ask)
    .flatMap((sentence) => sentence.split(NEXT_QUESTION))
    .filter(isQuestion)
    .slice(0, MAX_QUESTIONS)
    .map((sentence) => createQuestion(sliceTail(sentence, MAX_QUESTION_CHARS)))
}

export function createQuestion(text: string): Question {
  return {
    text,
    terms: [...new Set(termsOf(text))],
    kindTerm:
      termsOf(/\b(?:what|which)\s+(?!(?:is|are|was|were|do|does|did)\b)([\p{L}-]+)/iu.exec(text)?.[1] ?? '')[0] ?? null,
    expects: EXPECTED.find(({ asks }) => asks.test(text))?.looks ?? null,
    isOnSpeaker: /\b(?:am|do|did|have|was|should|can|must|will|would) I\b|\bich\b|^我(?!的)/.test(text),
    isList: WANTS_ALL.test(text),
  }
}
