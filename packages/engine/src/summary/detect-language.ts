import { LANGUAGE_NAMES, SCRIPTS, STOP_WORDS } from './language-profiles.ts'
import type { LatinLanguage, Script } from './language-profiles.ts'

export interface DetectedLanguage {
  readonly script: Script
  /** Told apart for Latin letters only; null there where no profile fits. */
  readonly language: LatinLanguage | null
}

/** Enough to tell; a long text is judged by its beginning and its end. */
const SAMPLE_CHARS = 20_000
const MIN_WEIGHT = 30
const SURE_SHARE = 0.65
/** Of Han and kana together. Japanese prose has far more, Chinese prose none but in quotations. */
const JAPANESE_KANA_SHARE = 0.1
const MIN_STOP_WORDS = 5
const MIN_STOP_WORD_SHARE = 0.12
/** Relatives share many small words, so the best profile must be clearly the best. */
const CLEAR_LEAD = 1.4

/** The language the prose of a text is written in; null when unsure. Code, addresses, paths and identifiers say nothing about it. */
export function detectLanguage(text: string): DetectedLanguage | null {
  const prose = proseOf(sample(text))
  const script = findScript(prose)
  if (script === null) return null
  return { script, language: script === 'latin' ? findLatinLanguage(prose) : null }
}

/** Only a sure difference is one. */
export function isOtherLanguage(one: DetectedLanguage | null, other: DetectedLanguage | null): boolean {
  if (one === null || other === null) return false
  if (one.script !== other.script) return true
  return one.language !== null && other.language !== null && one.language !== other.language
}

/** Its English name, for a prompt; null for a script that many languages share. */
export function nameLanguage({ script, language }: DetectedLanguage): string | null {
  return LANGUAGE_NAMES[language ?? script] ?? null
}

function sample(text: string): string {
  if (text.length <= SAMPLE_CHARS) return text
  return `${text.slice(0, SAMPLE_CHARS / 2)}\n${text.slice(-SAMPLE_CHARS / 2)}`
}

/** Runs of ASCII that no sentence holds: paths, addresses, assignments, identifiers, anything with a digit. */
const LOOKS_LIKE_CODE = /[\\/_@=#$\d]|\w[.:]\w|[a-z][A-Z]/

function proseOf(text: string): string {
  return text
    .replace(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gm, ' ')
    .replace(/`[^`\n]*`/g, ' ')
    .replace(/<[^<>\n]{1,200}>/g, ' ')
    .replace(/[\x21-\x7e]+/g, (run) => (LOOKS_LIKE_CODE.test(run) ? ' ' : run))
}

function findScript(prose: string): Script | null {
  const weights = SCRIPTS.map(({ pattern, weight }) => (prose.match(pattern)?.length ?? 0) * weight)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total < MIN_WEIGHT) return null
  const kana = weights[SCRIPTS.findIndex(({ script }) => script === 'kana')] ?? 0
  const han = weights[SCRIPTS.findIndex(({ script }) => script === 'han')] ?? 0
  const isJapanese = kana > 0 && kana >= (kana + han) * JAPANESE_KANA_SHARE
  const shareOf = (script: Script, index: number): number => {
    if (script === 'kana') return isJapanese ? kana + han : 0
    if (script === 'han') return isJapanese ? 0 : kana + han
    return weights[index] ?? 0
  }
  const found = SCRIPTS.find(({ script }, index) => shareOf(script, index) >= total * SURE_SHARE)
  return found?.script ?? null
}

function findLatinLanguage(prose: string): LatinLanguage | null {
  const words = prose.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)?/gu) ?? []
  const scores = Object.entries(STOP_WORDS).map(([language, stopWords]) => ({
    language: language as LatinLanguage,
    hits: words.reduce((hits, word) => hits + (stopWords.has(word) ? 1 : 0), 0),
  }))
  scores.sort((a, b) => b.hits - a.hits)
  const [best, second] = scores
  if (best === undefined || second === undefined) return null
  if (best.hits < MIN_STOP_WORDS || best.hits < words.length * MIN_STOP_WORD_SHARE) return null
  return best.hits >= second.hits * CLEAR_LEAD ? best.language : null
}
