import { KNOWN_FILES, KNOWN_WORDS, isFileName } from './common-names.ts'
import { isNameable } from './find-labeled.ts'
import { foldName } from './fold-name.ts'
import type { FoundMention, Mention } from './mention.ts'

/** The things that a token names, with their places in it. */
export interface ClassifiedToken {
  readonly mentions: readonly PlacedMention[]
  /** Numbers, whose meaning depends on the words around them. */
  readonly numbers: readonly PlacedNumber[]
}

interface PlacedMention {
  readonly mention: Mention
  readonly start: number
}

interface PlacedNumber {
  readonly number: string
  readonly start: number
}

const URL_START = /^[a-z][a-z\d+.-]{1,12}:\/\//i
const MAIL = /^[\w.+-]{2,}@[\w-]+(?:\.[\w-]+)+$/
const EDGE_START = /^[^\p{L}\p{N}_/.@]+/u
const PIECE_START = /^[^\p{L}\p{N}_]+/u
const EDGE_END = /[^\p{L}\p{N}_]+$/u
/** Signs that join two things to one token: `key=value`, `name:other`, `a/b?c=d`. */
const JOINTS = /[=?&%+$#~]+|::?|@/
const HEX = /^(?=.*\d)(?=.*[a-f])[\da-f]{7,64}$/i
/** `v1.2.3` is the same version as `1.2.3`. */
const NUMBER = /^v?(\d[\d.,-]*)$/i
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** Tells the thing that a token names, and the smaller things inside of it that whoever reads it then knows too. */
export function classifyToken(token: string): ClassifiedToken {
  const mentions: PlacedMention[] = []
  const numbers: PlacedNumber[] = []
  const found: FoundMention = (mention, start) => mentions.push({ mention, start })
  const lead = EDGE_START.exec(token)?.[0].length ?? 0
  const bare = token.slice(lead).replace(EDGE_END, '')
  if (URL_START.test(token)) readUrl(token, found)
  else if (MAIL.test(bare)) {
    found({ key: bare.toLowerCase(), kind: 'address', text: bare, label: null }, lead)
  } else if (bare.length >= 3) {
    let offset = lead
    let isAfterFile = false
    for (const piece of bare.split(JOINTS)) {
      offset = token.indexOf(piece, offset)
      const number = NUMBER.exec(piece)?.[1]
      const isFile = number === undefined && readPath(piece, offset, found)
      if (number === undefined && !isFile) readPiece(piece, offset, found)
      // The numbers in `keys.ts:123:7` are places in the file.
      if (number !== undefined && !isAfterFile) numbers.push({ number, start: offset + piece.length - number.length })
      isAfterFile ||= isFile
      offset += piece.length
    }
  }
  return { mentions, numbers }
}

function readUrl(token: string, found: FoundMention): void {
  const start = 0
  const url = token.replace(/[^\p{L}\p{N}/=&-]+$/u, '')
  const key = url.replace(URL_START, '').replace(/\/+$/, '').toLowerCase()
  const isFact = key.length >= 8 && key.includes('.')
  found({ key: `//${key}`, kind: isFact ? 'address' : null, text: url, label: null }, start)
  const [host = '', ...steps] = key.split('/')
  const port = /:(\d{2,5})$/.exec(host)?.[1]
  if (port !== undefined) found({ key: port, kind: null, text: port, label: null }, start)
  for (const step of steps)
    if (step.length >= 4) found({ key: foldName(step), kind: null, text: step, label: null }, start)
}

/** A file: its last step says which; folders alone are no facts, since any listing shows them. */
function readPath(path: string, start: number, found: FoundMention): boolean {
  const steps = path.split(/\/+/)
  const base = steps.at(-1) ?? ''
  if (!isFileName(base, steps.length > 1)) {
    if (steps.length < 2) return false
    for (const step of steps) knowIn(step, start, found)
    return true
  }
  const stem = base.slice(0, base.indexOf('.', 1))
  const label = steps.length > 1 ? steps.at(-2)?.toLowerCase() || null : null
  const isFact = !KNOWN_FILES.has(base.toLowerCase()) && stem.length >= 3 && !path.includes('*')
  const alias = foldName(stem)
  found({ key: base.toLowerCase(), kind: isFact ? 'path' : null, text: path, label, alias }, start)
  found({ key: alias, kind: null, text: stem, label: null }, start)
  return true
}

function readPiece(token: string, offset: number, found: FoundMention): void {
  const lead = PIECE_START.exec(token)?.[0].length ?? 0
  const piece = token.slice(lead).replace(EDGE_END, '')
  if (piece.length < 2) return
  const start = offset + lead
  const tell = (kind: Mention['kind'], key = foldName(piece)): void =>
    found({ key, kind, text: piece, label: null }, start)
  if (UUID.test(piece)) tell('code')
  else if (HEX.test(piece)) tell(isHash(piece) ? 'code' : null, piece.slice(0, 7).toLowerCase())
  else if (isCode(piece)) tell('code')
  else if (isIdentifier(piece)) tell('identifier')
  else found({ key: foldName(piece), kind: null, text: piece, label: null, isNameable: isNameable(piece) }, start)
  if (piece.includes('.')) knowParts(piece.split('.').slice(0, MAX_PARTS), start, found)
}

/** `this.ui.setFocus` tells of `ui.setFocus` and of `this.ui` as well. */
function knowParts(parts: readonly string[], start: number, found: FoundMention): void {
  for (const [place, part] of parts.entries()) {
    knowIn(part, start, found)
    if (place > 0 && place < parts.length - 1) knowIn(parts.slice(0, place + 1).join('.'), start, found)
    if (place > 0 && place < parts.length - 1) knowIn(parts.slice(place).join('.'), start, found)
  }
}

const MAX_PARTS = 8

/** Records a part of a longer token as known. The part gets no kind, because the token is not about it. */
function knowIn(part: string, start: number, found: FoundMention): void {
  if (part.length >= 4) found({ key: foldName(part), kind: null, text: part, label: null }, start)
}

/** Two digits at least, so that `decade7` is none. */
function isHash(piece: string): boolean {
  return (piece.match(/\d/g)?.length ?? 0) >= 2
}

/** `TC-48213`, `HAT136`, `spotter-gqc.3`, `mia_li_3668`: letters and digits that nobody would guess. */
function isCode(piece: string): boolean {
  if (piece.length < 5 || piece.length > 80 || !/\d/.test(piece) || KNOWN_WORDS.has(piece.toLowerCase())) return false
  // Quantities and versions of something: `200ms`, `v2`, `utf8`, `step12`, `2nd`, `x86_64`.
  if (/^\d+(?:[.,]\d+)?[-\p{L}%]{1,12}$/u.test(piece) || /^\p{L}+[-_.]?\d{1,2}$/u.test(piece)) return false
  if (/^v?\d+(?:\.\d+){2,3}(?:[-.]?[a-z]+[.\d]*)?$/i.test(piece)) return true
  const digits = piece.match(/\d/g)?.length ?? 0
  const groups = piece.match(/\p{L}+|\d+/gu)?.length ?? 0
  return digits >= 2 ? groups >= 2 && /\p{L}/u.test(piece) : groups >= 3 && piece.length >= 8
}

/** Several words joined by capitals, `_` or `.`: one word, and words joined by hyphens, are language. */
function isIdentifier(piece: string): boolean {
  if (piece.length < 8 || piece.length > 100 || KNOWN_WORDS.has(piece.toLowerCase())) return false
  if (!/^[\p{L}_$][\p{L}\p{N}_$.-]*$/u.test(piece)) return false
  const words = piece.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu) ?? []
  const isJoined = /[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(piece) || /\p{Ll}\p{Lu}/u.test(piece)
  return isJoined && words.filter((word) => word.length >= 2).length >= 2
}
