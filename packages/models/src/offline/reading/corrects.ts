import { isFaint } from './terms.ts'

const SAYS_CHANGED =
  /\b(?:now|no longer|not any ?more|instead|actually|correction|changed?|moved?|switch(?:ed)?|updated?|renamed|replaced|rather|scratch that|sorry|wait|as of|from now on)\b|改成|改为|改到|现在|更正|不再|换成|変更|訂正|今は|jetzt|nicht mehr|stattdessen|maintenant|désormais|ahora|ya no/i

/** Shared words, of those of the shorter one; of the longer one, too, where the earlier statement would be lost. */
const SAME_MATTER_SHARE = 0.34
const SAME_STATEMENT_SHARE = 0.5

interface Statement {
  readonly text: string
  readonly terms: readonly string[]
}

export function saysChanged(text: string): boolean {
  return SAYS_CHANGED.test(text)
}

/** Whether a later statement says that the matter of an earlier one has changed. */
export function corrects(later: Statement, earlier: Statement): boolean {
  return saysChanged(later.text) && shareOf(later, earlier, Math.min) >= SAME_MATTER_SHARE
}

/** Whether it says so in nearly the same words and with another value of the same kind, so that it may stand in its place. */
export function replaces(later: Statement, earlier: Statement): boolean {
  if (!saysChanged(later.text) || shareOf(later, earlier, Math.max) < SAME_STATEMENT_SHARE) return false
  const [now, before] = [new Set(later.terms), new Set(earlier.terms)]
  const [gained, lost] = [[...now.difference(before)], [...before.difference(now)]]
  return gained.length > 0 && gained.some(isFigure) === lost.some(isFigure)
}

function isFigure(term: string): boolean {
  return /\d/.test(term)
}

function shareOf(one: Statement, other: Statement, sizeOf: (a: number, b: number) => number): number {
  const [a, b] = [new Set(one.terms), new Set(other.terms)]
  const shared = a.intersection(b)
  return [...shared].some((term) => !isFaint(term)) ? shared.size / sizeOf(a.size, b.size) : 0
}
