const CANDIDATE =
  /`([^`\n]{1,300})`|"([^"\n]{1,300})"|'([^'\n]{1,300})'|(?<![\w/:])((?:~|\.{1,2})?\/?[\w@.+-]+(?:\/[\w@.+-]+)*\/?)/gu
const KNOWN_NAME = /^(?:makefile|dockerfile|readme|license|changelog|todo)$/i
/** One letter before and after the dot is an abbreviation. */
const FILE_ENDING = /(?:[\w)]{2}\.[a-z]|[\w)]\.[a-z][a-z\d])[a-z\d]{0,7}$/i

/** What looks like the path of a file or folder in a sentence, in order, each once. Addresses are none. */
export function findPaths(text: string): readonly string[] {
  const withoutUrls = text.replaceAll(/\bhttps?:\/\/\S+/gi, ' ')
  const paths = [...withoutUrls.matchAll(CANDIDATE)].flatMap(([, ...groups]) => {
    const path = groups.find((group) => group !== undefined)?.replace(/(?<![.,;:!?])[.,;:!?]+$/, '') ?? ''
    return isPath(path) ? [path] : []
  })
  return [...new Set(paths)]
}

function isPath(text: string): boolean {
  if (/\s/.test(text) && !FILE_ENDING.test(text)) return false
  return (text.includes('/') && /[\w.~]/.test(text)) || FILE_ENDING.test(text) || KNOWN_NAME.test(text)
}
