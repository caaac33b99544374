/** Case and white space never decide whether something is there. */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

/** `5 files` does not stand in `15 files`, nor `index.ts` in `my-index.ts`. A needle that was cut may go on. */
export function includesWord(text: string, needle: string, isCut = false): boolean {
  if (needle === '') return false
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    const isStart = !isWordChar(needle.at(0)) || !isGluedBefore(text[at - 1])
    const isEnd = isCut || !isWordChar(needle.at(-1)) || !isWordChar(text[at + needle.length])
    if (isStart && isEnd) return true
  }
  return false
}

/** ASCII only: scripts without spaces put words right beside figures and names. */
function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /[a-z0-9_]/.test(char)
}

function isGluedBefore(char: string | undefined): boolean {
  return isWordChar(char) || char === '-'
}
