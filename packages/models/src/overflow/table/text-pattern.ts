const NUMBER = String.raw`\d{1,3}(?:[,._'’\u00a0\u202f]\d{3}){1,4}|\d{1,15}`
const MAX_GAP_CHARS = 160

/**
 * A pattern written as the vendor's own sentence: `{name}` is a number with or without thousands separators, `…` is up to
 * 160 characters of anything, spaces are any white space, case does not matter. Numbers and gaps are bounded, so no text
 * makes one slow.
 */
export function textPattern(sentence: string): RegExp {
  const source = sentence
    .split(/(\{\w+\}|…|\s+)/)
    .map((piece) => {
      if (piece === '…') return `[^]{0,${MAX_GAP_CHARS}}?`
      if (/^\s+$/.test(piece)) return String.raw`\s{1,20}`
      const name = /^\{(\w+)\}$/.exec(piece)?.[1]
      return name === undefined ? escapeLiteral(piece) : `(?<${name}>${NUMBER})`
    })
    .join('')
  return new RegExp(source, 'i')
}

/** `213,462`, `1_048_576` and `131072` alike; null for what is not a count. */
export function readCount(text: string | undefined): number | null {
  if (text === undefined) return null
  const digits = text.replaceAll(/[^\d]/g, '')
  return digits === '' ? null : Number(digits)
}

function escapeLiteral(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}
