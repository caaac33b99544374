import type { ModelFailureKind } from '../../port/model-failure.ts'
import { textPattern } from './text-pattern.ts'

/** How one vendor says one thing. */
export interface ErrorRow {
  readonly vendor: string
  /** The vendor's literal text. */
  readonly sample: string
  /** Its numbers are named `actual` (the prompt), `atLeast` (a prompt counted only so far), `output`, `total`, `limit`. */
  readonly pattern: RegExp
  readonly kind: ModelFailureKind
}

/** `sentence` is what recognises the sample, written as for `textPattern`. */
export function row(kind: ModelFailureKind, vendor: string, sample: string, sentence: string = sample): ErrorRow {
  return { vendor, sample, pattern: textPattern(plainQuotes(sentence)), kind }
}

/** Vendors are not of one mind on backticks and curly quotes. */
export function plainQuotes(text: string): string {
  return text.replaceAll('`', '').replaceAll('’', "'")
}
