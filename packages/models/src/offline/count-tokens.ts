import { rememberByText } from './text-memo.ts'

export type CountTokens = (text: string) => number

/**
 * The tokenizer merges a run without spaces in time that grows with its square: 80,000 times one kanji take half a
 * minute. Counted in slices the sum is at most a few per thousand too high.
 */
const MAX_SLICE_CHARS = 1_024
const REMEMBERED_CHARS = 16_000_000
/** `<|endoftext|>` in a text is a topic, not a command; by default the tokenizer throws on it. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

let loading: Promise<CountTokens> | null = null

/** A counter of o200k tokens. Its tables take a third of a second to load, so they are loaded on the first use. */
export function loadCountTokens(): Promise<CountTokens> {
  loading ??= import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) =>
    rememberByText(
      (text) => sliceText(text).reduce((sum, slice) => sum + countTokens(slice, AS_TEXT), 0),
      REMEMBERED_CHARS,
    ),
  )
  return loading
}

/** Cut before white space where there is some, because there tokens begin; else anywhere but inside a character. */
function sliceText(text: string): readonly string[] {
  const slices: string[] = []
  let start = 0
  while (text.length - start > MAX_SLICE_CHARS) {
    const end = start + findCut(text.slice(start, start + MAX_SLICE_CHARS + 1))
    slices.push(text.slice(start, end))
    start = end
  }
  slices.push(text.slice(start))
  return slices
}

function findCut(window: string): number {
  const space = window.search(/\s\S*$/)
  if (space > 0) return space
  return /[\ud800-\udbff]/.test(window.charAt(MAX_SLICE_CHARS - 1)) ? MAX_SLICE_CHARS - 1 : MAX_SLICE_CHARS
}
