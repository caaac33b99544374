import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import type { FilePart, ImagePart } from '@longhaul/engine/advanced'
import { takesMedia } from './dialect.ts'
import type { Dialect } from './dialect.ts'
import { readMediaSource } from './media-source.ts'
import type { MediaSource } from './media-source.ts'

export interface MediaContext {
  readonly dialect: Dialect
  /** By media type, the addresses the provider itself will read. */
  readonly supportedUrls: Readonly<Record<string, readonly RegExp[]>>
}

/**
 * An image or a file as the vendor takes it: with its bytes, by its address, or as text. What the vendor would refuse
 * becomes a note, because a refused part would be refused again at every turn. Nothing is ever downloaded.
 */
export function convertMedia(
  part: ImagePart | FilePart,
  context: MediaContext,
): LanguageModelV4TextPart | LanguageModelV4FilePart {
  const source = readMediaSource(part)
  switch (source.kind) {
    case 'text':
      return { type: 'text', text: titled(part, source) }
    case 'address':
      return isAddressTaken(source, context)
        ? { type: 'file', data: { type: 'url', url: new URL(source.url) }, ...named(part, source.mediaType) }
        : { type: 'text', text: note(part, source.mediaType, `${source.url} is not read from here`) }
    case 'bytes':
      return takesMedia(context.dialect, source.mediaType)
        ? { type: 'file', data: { type: 'data', data: source.base64 }, ...named(part, source.mediaType) }
        : { type: 'text', text: note(part, source.mediaType, 'the model takes no such files') }
    case 'unreadable':
      return { type: 'text', text: note(part, source.mediaType, 'its data cannot be read') }
    default:
      return source satisfies never
  }
}

/** Stands for an image or a file where only text can stand. */
export function describeMedia(part: ImagePart | FilePart, why: string): string {
  return note(part, readMediaSource(part).mediaType, why)
}

function note(part: ImagePart | FilePart, mediaType: string, why: string): string {
  const name = part.type === 'file' && part.filename !== undefined ? ` "${part.filename}"` : ''
  return `[${part.type}${name}, ${mediaType}, left out: ${why}]`
}

function titled(part: ImagePart | FilePart, { text, mediaType }: MediaSource & { kind: 'text' }): string {
  // Vendors refuse a text of nothing.
  if (text.trim() === '') return note(part, mediaType, 'it is empty')
  return part.type === 'file' && part.filename !== undefined ? `[file "${part.filename}"]\n\n${text}` : text
}

function named(part: ImagePart | FilePart, mediaType: string): Pick<LanguageModelV4FilePart, 'mediaType' | 'filename'> {
  return part.type === 'file' && part.filename !== undefined ? { mediaType, filename: part.filename } : { mediaType }
}

function isAddressTaken(
  { url, mediaType }: MediaSource & { kind: 'address' },
  { dialect, supportedUrls }: MediaContext,
): boolean {
  const isExact = !mediaType.endsWith('/*')
  if (dialect.typedAddresses && !isExact) return false
  if (isExact && !takesMedia(dialect, mediaType)) return false
  return Object.entries(supportedUrls).some(
    ([taken, patterns]) =>
      coversType(taken.toLowerCase(), mediaType) && patterns.some((pattern) => matches(pattern, url)),
  )
}

function coversType(taken: string, mediaType: string): boolean {
  return taken === '*' || taken === '*/*' || taken === mediaType || taken === `${mediaType.split('/')[0]}/*`
}

/** A pattern with a `g` or `y` flag remembers where it stopped; `search` always starts at the beginning. */
function matches(pattern: RegExp, url: string): boolean {
  return url.search(pattern) >= 0
}
