import type { FilePart, ImagePart } from '@longhaul/engine/advanced'

/** What an image or a file turns out to be, whichever way it was given. */
export type MediaSource =
  | { readonly kind: 'bytes'; readonly base64: string; readonly mediaType: string }
  /** `type/*` where the exact type is unknown. */
  | { readonly kind: 'address'; readonly url: string; readonly mediaType: string }
  | { readonly kind: 'text'; readonly text: string; readonly mediaType: string }
  | { readonly kind: 'unreadable'; readonly mediaType: string }

const memo = new WeakMap<ImagePart | FilePart, MediaSource>()

/** Reads base64, a data URL or an address. Remembered per part: checking megabytes anew at every step is slow. */
export function readMediaSource(part: ImagePart | FilePart): MediaSource {
  const known = memo.get(part)
  if (known !== undefined) return known
  const source = readSource(part)
  memo.set(part, source)
  return source
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i
const DATA_URL = /^data:([^,]*),/i

function readSource(part: ImagePart | FilePart): MediaSource {
  const data = (part.type === 'image' ? part.image : part.data).trim()
  const stated = readType(part.mediaType) ?? (part.type === 'image' ? 'image/*' : 'application/octet-stream')
  if (ADDRESS.test(data)) return readAddress(data, stated)
  const head = DATA_URL.exec(data)
  if (head === null) return readEncoded(data, stated)
  const [type, ...parameters] = (head[1] ?? '').split(';')
  const mediaType = readType(type) ?? stated
  const body = data.slice(head[0].length)
  return parameters.at(-1)?.trim().toLowerCase() === 'base64'
    ? readEncoded(body, mediaType)
    : readEncoded(Buffer.from(decodePercents(body)).toString('base64'), mediaType)
}

function readAddress(url: string, stated: string): MediaSource {
  if (!URL.canParse(url)) return { kind: 'unreadable', mediaType: stated }
  const extension = /\.([a-z0-9]+)$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? ''
  const mediaType = stated.endsWith('/*') ? (IMAGE_EXTENSIONS[extension] ?? stated) : stated
  return { kind: 'address', url, mediaType }
}

function readEncoded(data: string, stated: string): MediaSource {
  const base64 = repairBase64(data)
  const sniffed = base64 === null ? undefined : sniffType(base64)
  // By the bytes, not by the label: providers refuse an image whose label says something else.
  const mediaType = sniffed ?? stated
  if (isTextType(mediaType)) return { kind: 'text', text: readText(data, base64), mediaType }
  const isBroken = base64 === null || (sniffed === undefined && SIGNED_IMAGES.has(stated))
  return isBroken ? { kind: 'unreadable', mediaType } : { kind: 'bytes', base64, mediaType }
}

/** Text files are meant to be base64 too, but many programs store the text itself. */
function readText(data: string, base64: string | null): string {
  if (base64 === null) return data
  const text = Buffer.from(base64, 'base64').toString('utf8')
  return text.includes('\uFFFD') ? data : text
}

/** Base64 as every provider takes it: no white space, the standard alphabet, padded; null if it is none. */
function repairBase64(data: string): string | null {
  const compact = /\s/.test(data) ? data.replaceAll(/\s+/g, '') : data
  const standard = /[-_]/.test(compact) ? compact.replaceAll('-', '+').replaceAll('_', '/') : compact
  const bare = standard.replace(/={1,2}$/, '')
  if (bare === '' || bare.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(bare)) return null
  return bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')
}

const SIGNATURES: readonly (readonly [mediaType: string, pattern: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['application/pdf', /^%PDF-/],
]

const SIGNATURE_CHARS = 24
/** Without its first bytes such an image is none, and providers refuse the whole request. */
const SIGNED_IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function sniffType(base64: string): string | undefined {
  const start = Buffer.from(base64.slice(0, SIGNATURE_CHARS), 'base64').toString('latin1')
  return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0]
}

const IMAGE_EXTENSIONS: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
}

function readType(mediaType: string | undefined): string | undefined {
  const type = mediaType?.split(';')[0]?.trim().toLowerCase()
  if (type === undefined || !/^[^\s/]+\/[^\s/]+$/.test(type)) return undefined
  return type === 'image/jpg' ? 'image/jpeg' : type
}

const TEXT_TYPES = /^text\/|[/+](?:json|xml|yaml|x-yaml|toml|javascript|x-javascript|typescript|sql|csv|x-sh)$/

function isTextType(mediaType: string): boolean {
  return TEXT_TYPES.test(mediaType)
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
