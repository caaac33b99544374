const URL = /\bhttps?:\/\/[^\s"'`<>()[\]{}|\\]+/gi

const IDS: readonly RegExp[] = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  // Hashes, seven digits and more; words that happen to be hexadecimal have no figure in them.
  /(?<![\w#-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}(?![\w-])/gi,
  /(?<![\w.-])\d{7,}(?![\w.])/g,
  // Tickets, flights, bookings.
  /(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,6}(?![\w-])/g,
  /(?<![\w-])[A-Z]{2,4}\d{2,5}(?![\w-])/g,
  /(?<![\w-])(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{6}(?![\w-])/g,
  /(?<![\w&])#\d{2,7}(?!\w)/g,
  // Names that end in a number or a code: mia_li_3668, board-a0y.3.
  /(?<![\w./-])[a-z]{2,}(?:[-_][a-z]+)*[-_](?=[a-z0-9]*\d)[a-z0-9]{3,}(?:\.\d+)*(?![\w/-])/g,
]
const NOT_AN_ID = /^(?:(?:sha|utf|iso|rfc|es|base|mp|h|x|md)-?\d+|\d{4}-\d{2}-\d{2})$/i

export function findUrls(text: string): readonly string[] {
  return [...text.matchAll(URL)].map(([url]) => url.replace(/(?<![.,:;!?*_/])[.,:;!?*_/]+$/, ''))
}

/** Whatever names one thing and cannot be guessed. */
export function findIds(text: string): readonly string[] {
  const prose = text.replaceAll(URL, ' ')
  return IDS.flatMap((pattern) => [...prose.matchAll(pattern)].map(([id]) => id)).filter((id) => !NOT_AN_ID.test(id))
}
