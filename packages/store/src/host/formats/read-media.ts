/** Bytes are written out once: hosts hand over the same ones at every call. */
const known = new WeakMap<object, string>()

/** The data of an image or a file as text: base64, a data URL or an address. null: it is none of that. */
export function readMedia(data: unknown): string | null {
  if (typeof data === 'string') return data
  if (data instanceof URL) return data.href
  if (!(data instanceof Uint8Array || data instanceof ArrayBuffer)) return null
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data
  const text = known.get(data) ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  known.set(data, text)
  return text
}
