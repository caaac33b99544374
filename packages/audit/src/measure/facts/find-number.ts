import type { FoundMention, Token } from './mention.ts'

/** Matches the name before a number: `port 4173`, `PORT=4173`, `"tenant_code": 4471`, `the tenant code is 4471`. */
const LABEL =
  /((?:\p{L}[\p{L}\p{N}-]{0,30} )?\p{L}[\p{L}\p{N}_-]{0,40})["'`*\s:=#(]{1,6}(?:is |was |of |to |auf |ist )?["'`*\s$€£]{0,3}$/u
const LABEL_CHARS = 80
const MAX_NUMBER_CHARS = 40

/** Nobody writes so long a number twice by chance. */
export const LONG_NUMBER = /^\d{6,20}$/

/** Numbers with a meaning: a name stands before them, and they are none that anybody might write. */
export function findNumber({ token, start, text }: Token, found: FoundMention): void {
  if (token.length > MAX_NUMBER_CHARS) return
  const number = token.replaceAll(/,(?=\d{3})/g, '').replace(/[.,:-]+$/, '')
  const isVersion = /^\d{1,4}(?:\.\d{1,5}){2,3}$/.test(number)
  const digits = number.replaceAll(/\D/g, '')
  const isTime = /[:-]/.test(number)
  if (digits.length < 3) return
  const isWorthIt = !isVersion && !isTime && isTelling(number, digits)
  const label = isWorthIt ? findLabel(text, start) : null
  const isFact = isVersion || label !== null || (isWorthIt && LONG_NUMBER.test(number))
  found({ key: number, kind: isFact ? 'number' : null, text: number, label }, start)
}

/** One word or two, with a space between. */
function findLabel(text: string, start: number): string | null {
  const said = LABEL.exec(text.slice(Math.max(0, start - LABEL_CHARS), start))?.[1] ?? ''
  const words = said.toLowerCase().split(/[ _-]+/)
  const telling = words.filter((word) => word.length >= 2 && !UNLABELED.has(word))
  return UNLABELED.has(words.at(-1) ?? '') || telling.length === 0 ? null : telling.slice(-2).join(' ')
}

/** Round numbers, years and powers of two stand for themselves. */
function isTelling(number: string, digits: string): boolean {
  if (/^0*$/.test(digits.slice(1)) || digits.length < 4 || digits.length > 20) return false
  if (/^(?:19|20)\d\d$/.test(number) || /0{3,}$/.test(digits)) return false
  const value = Number(number)
  return !(Number.isInteger(Math.log2(value)) || new Set(digits).size === 1)
}

/** Counts and places in files: a number after them says nothing that is needed twice. */
const UNLABELED: ReadonlySet<string> = new Set(
  (
    'line lines row rows col column offset limit start end total about around roughly over under than and or in on at by ' +
    'for with from the a an size length bytes chars tokens took ms seconds count passed tests ' +
    'is was it its this that there only just now then you we he she they have has'
  ).split(' '),
)
