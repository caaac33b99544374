import { constants } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { addAbortSignal, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { unreadable } from './backup-format.ts'

const LINE_FEED = 0x0a

/** The lines of a gzipped file as bytes, line feeds included; the last one may lack it. */
export async function* readLines(file: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of unzip(file, signal)) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end + 1)
      yield parts.length === 0 ? rest : Buffer.concat([...parts, rest])
      parts = []
      heldBytes = 0
      start = end + 1
    }
    if (start === chunk.length) continue
    parts.push(chunk.subarray(start))
    heldBytes += chunk.length - start
    // A file of another kind may have no line feed at all.
    if (heldBytes > constants.MAX_STRING_LENGTH) throw unreadable(file, 'holds a line that is longer than any record.')
  }
  if (parts.length > 0) yield Buffer.concat(parts)
}

/** A failure of the file reaches the reader through what is unzipped from it. */
function unzip(file: string, signal: AbortSignal | undefined): AsyncIterable<Buffer> {
  const unzipped = createGunzip()
  pipeline(createReadStream(file), unzipped, () => {})
  return signal === undefined ? unzipped : addAbortSignal(signal, unzipped)
}
