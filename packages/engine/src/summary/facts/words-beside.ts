const CONTEXT_CHARS = 40

/** The words before a place in a text, on its line; where there are none, those behind it. */
export function wordsBeside(text: string, start: number, end: number): string {
  return wordsBefore(text, start) || wordsAfter(text, end)
}

function wordsBefore(text: string, index: number): string {
  const before = text.slice(Math.max(0, index - CONTEXT_CHARS), index)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const words = line.length === CONTEXT_CHARS ? line.slice(line.indexOf(' ') + 1) : line
  return words
    .replace(/[*`#|>"]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\W\d]{1,40}|[\s([:=-]{1,40}$/g, '')
    .trim()
}

function wordsAfter(text: string, index: number): string {
  const after = text.slice(index, index + CONTEXT_CHARS)
  const [line = ''] = after.split('\n', 1)
  const words = line.length === CONTEXT_CHARS ? line.slice(0, line.lastIndexOf(' ')) : line
  return words
    .replace(/[*`#|>"]|(?<!\w)_|_(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}\d]{1,40}|\W{1,40}$/gu, '')
    .trim()
}
