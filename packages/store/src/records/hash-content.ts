import { createHash } from 'node:crypto'

/** What an artifact's content is known by in every store: SHA-256 of its UTF-8, in hexadecimal. */
export function hashContent(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
