import type { Attachment } from '@longhaul/protocol'

const MEGABYTE = 1_048_576
/** What every provider takes. */
const MOST_BYTES = 5 * MEGABYTE
const MEDIA_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export const ACCEPTED_IMAGES = MEDIA_TYPES.join(',')
export const MOST_IMAGES = 8

export type ImageAttachment = Extract<Attachment, { type: 'image' }>

/** Rejects with what a user can do about it. */
export async function readImage(file: File): Promise<ImageAttachment> {
  if (!MEDIA_TYPES.includes(file.type))
    throw new Error(`${file.name} is no PNG, JPEG, GIF or WebP image. Paste texts into the message instead.`)
  if (file.size > MOST_BYTES)
    throw new Error(
      `${file.name} has ${(file.size / MEGABYTE).toFixed(1)} MB; 5 MB is the most. Make it smaller first.`,
    )
  return { type: 'image', image: toBase64(new Uint8Array(await file.arrayBuffer())), mediaType: file.type }
}

/** As many arguments as every engine takes in one call. */
const CHUNK = 32_768

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCodePoint(...bytes.subarray(start, start + CHUNK))
  return btoa(binary)
}
