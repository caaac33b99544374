import { sliceHead } from '../../messages/slice-text.ts'
import type { MessageEntry } from '../../transcript/entry.ts'
import type { LedgerFact } from '../../transcript/summary-document.ts'
import type { AddMention } from './fact-collector.ts'
import { wordsBeside } from './words-beside.ts'

const SCHEME = /(?:https?|wss?|ftp|file|ssh|git|postgres(?:ql)?|mysql|redis|mongodb)$/i
const ADDRESS_REST = /:\/\/[^\s"'`<>\\^{}|\u3000-\u303f\uff00-\uffef]{2,500}/y
const HOST_AND_PORT = /(?<![\w.])(?:localhost|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}):\d{2,5}(?!\w)/g
const MAY_HOLD_PORT = /localhost:\d|\d\.\d{1,3}:\d\d/

/** Runs of characters ids are made of. One match takes a whole run, so no text is read twice. */
const RUN = /[A-Za-z0-9#][\w@#.+/-]{3,}/g
const MAX_ID_CHARS = 80
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const MAIL = /^[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,3}\.[A-Za-z]{2,20}$/
const TICKET = /^[A-Z][A-Z0-9]{1,9}-\d{1,7}$/
const ISSUE = /^(?:[\w.-]{1,60}\/[\w.-]{1,60})?#\d{1,7}$/
const HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/i
const NUMBER = /^\d{6,20}$/
const UPPER_CODE = /^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{5,12}$/
const SNAKE_CODE = /^[A-Za-z]+(?:[_-][A-Za-z0-9]+){0,5}[_-]?\d{3,}$/
/** `toolu_01AbC…`, `cus-9f8…`: a short prefix and a random rest. */
const PREFIXED_CODE = /^[a-z]{2,12}[_-](?=\w*\d)[A-Za-z0-9]{8,40}$/
/** Names of techniques, not of things: they come back in every text about software. */
const TECHNIQUE =
  /^(?:utf|sha|md|base|es|x|arm|amd|ipv|mp|int|uint|float|i|u|f|h|oauth|http|iso|rfc|ec|gpt|claude|node|python|ascii|cp|latin|win|px|col|row|step|line|test|tmp|var|arg|param|item|part|day|week|page|chapter|section|phase|version|v)[-_]?\d+/i
/** All of it is the name: `ES2022`, not a booking code such as `H8K2QP`. */
const UPPER_TECHNIQUE = new RegExp(`${TECHNIQUE.source}$`, 'i')
const STANDARD = /^(?:UTF|SHA|ISO|GPT|MD|CP|AES|RSA|ES|EC|IEEE|HTTP|TLS|SSL|MP|PEP)-/
/** `order K7XQ2M`, `"reservation_id": "K7XQ2M"`: called an id, it counts where a listing has many. */
const CALLED_ID =
  /(?:booking|reservation|confirmation|order|ticket|reference|\bref|code|number|\bpnr|[\W_]id|[a-z]Id)s?(?: (?:is|no\.?|number))?["'`*:=#\s]{1,6}$/i
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}/

export interface ReferenceLimits {
  /** Only ids with an unmistakable form: text somebody's program printed. */
  readonly strict: boolean
  readonly maxUrls: number
  /** Twice as many where the text calls them ids. */
  readonly maxIds: number
}

export interface Said {
  readonly text: string
  readonly by: LedgerFact['by']
  readonly entry: MessageEntry
  /** The tool, and the page or file, that a result came from. */
  readonly origin?: string
}

/** Addresses and ids in a text, each with the words before it where a person or a model wrote them. */
export function collectReferences({ text, by, entry, origin }: Said, limits: ReferenceLimits, add: AddMention): void {
  const note = origin === undefined ? {} : { note: origin }
  for (const url of findAddresses(text, limits.maxUrls)) add({ kind: 'url', text: url, ...note, by, entry })
  if (!/\d/.test(text)) return
  const ids = new Map<string, string>()
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (run.length > MAX_ID_CHARS || !/[\d@]/.test(run) || isPartOfWord(text, index)) continue
    const id = run.replace(/[.+/-]{1,5}$/, '')
    if (ids.has(id) || !isId(id, limits.strict)) continue
    if (ids.size >= limits.maxIds && !CALLED_ID.test(text.slice(Math.max(0, index - 30), index))) continue
    ids.set(id, wordsBeside(text, index, index + id.length))
    if (ids.size >= limits.maxIds * 2) break
  }
  for (const [id, words] of ids) add({ kind: 'id', text: id, note: words, by, entry })
}

function findAddresses(text: string, maxUrls: number): ReadonlySet<string> {
  const urls = new Set<string>()
  let at = text.indexOf('://')
  while (at >= 0 && urls.size < maxUrls) {
    const scheme = SCHEME.exec(text.slice(Math.max(0, at - 10), at))
    ADDRESS_REST.lastIndex = at
    const rest = scheme === null ? null : ADDRESS_REST.exec(text)
    if (scheme !== null && rest !== null) urls.add(trimAddress(scheme[0] + rest[0]))
    at = text.indexOf('://', at + (rest?.[0].length ?? 3))
  }
  if (!MAY_HOLD_PORT.test(text)) return urls
  for (const [address] of text.matchAll(HOST_AND_PORT)) {
    if (urls.size >= maxUrls) break
    if (![...urls].some((url) => url.includes(address))) urls.add(address)
  }
  return urls
}

/** `$HOME1`, `.a1b2c3d`, `/tmp1234567`: the run began earlier than it was matched. */
function isPartOfWord(text: string, index: number): boolean {
  return index > 0 && /[\w@/.$+-]/.test(text[index - 1] ?? '')
}

function isId(id: string, strict: boolean): boolean {
  if (ISSUE.test(id)) return !strict || id.includes('/')
  if (UUID.test(id) || MAIL.test(id) || HEX.test(id)) return true
  if (TICKET.test(id)) return !STANDARD.test(id)
  if (id.includes('/') || id.includes('.') || DATE_LIKE.test(id)) return false
  if (UPPER_CODE.test(id)) return !UPPER_TECHNIQUE.test(id)
  if (TECHNIQUE.test(id)) return false
  if (PREFIXED_CODE.test(id)) return true
  if (NUMBER.test(id)) return !strict || id.length > 6
  return SNAKE_CODE.test(id) && (!strict || /_\d{3,}$/.test(id))
}

function trimAddress(match: string): string {
  const plain = match.replace(/[.,;:!?*_~]{1,20}$/, '')
  const closing = plain.search(/[)\]]/)
  const isBalanced = closing === -1 || /[([]/.test(plain.slice(0, closing))
  return sliceHead(isBalanced ? plain : plain.slice(0, closing), 400)
}
