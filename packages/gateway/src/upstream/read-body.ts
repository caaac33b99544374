import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

const MAX_BODY_BYTES = 64 * 1024 * 1024
/** Where a client does not say how long its body is. */
const FIRST_BYTES = 64 * 1024

/** A body that was read, or, where it is too large, a stream that still holds all of it. */
export type ReadBody = { readonly bytes: Buffer } | { readonly stream: Readable }

export async function readBody(incoming: IncomingMessage): Promise<ReadBody> {
  const length = Number(incoming.headers['content-length'] ?? FIRST_BYTES)
  if (length > MAX_BODY_BYTES) return { stream: incoming }
  // Chunks are copied as they come, so that nothing is left to do when the last one is here.
  let bytes: Buffer = Buffer.allocUnsafeSlow(length)
  let size = 0
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      if (size + chunk.length > bytes.length) bytes = grow(bytes, size, size + chunk.length)
      size += chunk.copy(bytes, size)
      if (size <= MAX_BODY_BYTES) return
      stop()
      resolve({ stream: joinStream(bytes.subarray(0, size), incoming) })
    }
    const onEnd = (): void => {
      stop()
      resolve({ bytes: bytes.subarray(0, size) })
    }
    const onGone = (): void => {
      stop()
      reject(new Error('The client left before its request was complete.'))
    }
    function stop(): void {
      incoming.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone)
    }
    incoming.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
  })
}

function grow(bytes: Buffer, size: number, least: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(least, size * 2))
  bytes.copy(larger, 0, 0, size)
  return larger
}

function joinStream(start: Buffer, rest: IncomingMessage): Readable {
  const joined = new PassThrough()
  joined.write(start)
  rest.pipe(joined)
  rest.once('error', (error) => joined.destroy(error))
  return joined
}

const LIMIT = { maxOutputLength: MAX_BODY_BYTES } as const

/** The bytes that a compressed body stands for; null: it is compressed in a way that this gateway does not know. */
export async function decodeBody(bytes: Buffer, encoding: string | undefined): Promise<Buffer | null> {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return bytes
    case 'gzip':
    case 'x-gzip':
      return promisify<Buffer, typeof LIMIT, Buffer>(gunzip)(bytes, LIMIT)
    case 'deflate':
      return promisify<Buffer, typeof LIMIT, Buffer>(inflate)(bytes, LIMIT)
    case 'br':
      return promisify<Buffer, typeof LIMIT, Buffer>(brotliDecompress)(bytes, LIMIT)
    case 'zstd':
      return promisify<Buffer, typeof LIMIT, Buffer>(zstdDecompress)(bytes, LIMIT)
    default:
      return null
  }
}
