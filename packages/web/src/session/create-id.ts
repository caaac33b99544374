const BYTES = 16

/** An id that nobody else makes. Browsers keep `crypto.randomUUID` to pages over TLS; this one works on any. */
export function createId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
}
