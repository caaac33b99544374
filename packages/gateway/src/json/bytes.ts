/**
 * Bodies are handled as texts with one character a byte: offsets are byte offsets, slices are bytes, and nothing is lost
 * whatever the encoding holds. A string of that kind is such a text too.
 */
export interface ByteText {
  readonly length: number
  charCodeAt(at: number): number
  /** `search` is a single character. */
  indexOf(search: string, from: number): number
  slice(start?: number, end?: number): string
}

/** Searches and cuts bytes where they lie, so that of a large body only the stretches that matter become strings. */
export function readByteText(bytes: Buffer): ByteText {
  return {
    length: bytes.length,
    charCodeAt: (at) => bytes[at] ?? Number.NaN,
    indexOf: (search, from) => bytes.indexOf(search.charCodeAt(0), from),
    slice: (start, end) => bytes.toString('latin1', start, end),
  }
}

export function toByteText(bytes: Buffer): string {
  return bytes.toString('latin1')
}

export function fromByteText(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** The JSON text of a value, as bytes. */
export function encodeJson(value: unknown): string {
  return encodeText(JSON.stringify(value))
}

export function encodeText(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

export function decodeText(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The value that a stretch of bytes stands for. Throws where it is not JSON. */
export function decodeJson(bytes: string): unknown {
  return JSON.parse(decodeText(bytes)) as unknown
}

/** A copy that does not keep the whole body in memory, as a slice of it would. */
export function copyText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('latin1')
}

// eslint-disable-next-line no-control-regex
const BEYOND_ASCII = /[^\u0000-\u007f]/

function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text)
}
