import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { isRecord } from '@longhaul/engine/advanced'
import { createSkipList, parseJson } from '@longhaul/store/jsonl'
import type { Fields, Line, LineGroup } from '@longhaul/store/jsonl'

export interface LineReading {
  /** False: the line is bookkeeping, told by how it begins, and is not even parsed. */
  readonly isOfUse?: (beginning: string) => boolean
  /** Leaves out of a line what nobody asks for, so that a file takes less memory than it is long. null: all of it. */
  readonly slim?: (value: Fields) => Fields | null
  readonly onProgress?: (bytes: number) => void
  readonly signal?: AbortSignal | undefined
  /** Stops after so many lines. */
  readonly maxLines?: number
}

/** A longer line holds pictures or damage; agents cut what tools give them long before. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
const TOO_LONG = `a line longer than ${MAX_LINE_BYTES / 1024 / 1024} MB`
const BEGINNING_BYTES = 160
const CHUNK_BYTES = 1024 * 1024

/** The JSON objects of a file, one a line. A line that cannot be read is told; a file that cannot be opened throws. */
export async function readLines(path: string, reading: LineReading = {}): Promise<LineGroup> {
  const lines: Line[] = []
  const skipped = createSkipList()
  const take = (bytes: Buffer, line: number): void => {
    if (reading.isOfUse?.(bytes.toString('latin1', 0, BEGINNING_BYTES)) === false) return
    const text = bytes.toString('utf8')
    if (text.trim() === '') return
    const value = parseJson(line === 1 ? text.replace(/^\uFEFF/, '') : text)
    if (!isRecord(value)) {
      skipped.add(line, value === undefined ? 'not JSON' : 'not a JSON object')
      return
    }
    const slim = reading.slim === undefined ? value : reading.slim(value)
    if (slim !== null) lines.push({ line, value: slim })
  }
  const splitter = createSplitter((bytes, line) => {
    if (bytes === null) skipped.add(line, TOO_LONG)
    else take(bytes, line)
  })
  for await (const chunk of openFile(path, reading.signal)) {
    splitter.add(chunk)
    reading.onProgress?.(chunk.length)
    if (reading.maxLines !== undefined && splitter.count() >= reading.maxLines) {
      return { lines, skipped: skipped.list() }
    }
  }
  splitter.finish()
  return { lines, skipped: skipped.list() }
}

/** The bytes of a file, unpacked where its name ends in `.zst`. */
function openFile(path: string, signal?: AbortSignal): AsyncIterable<Buffer> {
  const options = { highWaterMark: CHUNK_BYTES, ...(signal === undefined ? {} : { signal }) }
  const stream = createReadStream(path, options)
  if (!path.endsWith('.zst')) return stream
  // The error of either end arrives with whoever iterates.
  return pipeline(stream, createZstdDecompress({ chunkSize: CHUNK_BYTES }), () => undefined)
}

interface Splitter {
  add(chunk: Buffer): void
  finish(): void
  /** Lines so far. */
  count(): number
}

/** `take` gets each line, counted from 1; null for one that is too long, which is never held as a whole. */
function createSplitter(take: (bytes: Buffer | null, line: number) => void): Splitter {
  let begun: Buffer[] = []
  let begunBytes = 0
  let isTooLong = false
  let count = 0

  function begin(bytes: Buffer): void {
    begunBytes += bytes.length
    isTooLong ||= begunBytes > MAX_LINE_BYTES
    if (isTooLong) begun = []
    else if (bytes.length > 0) begun.push(bytes)
  }

  function end(bytes: Buffer): void {
    count += 1
    if (begunBytes === 0 && !isTooLong) take(bytes, count)
    else {
      begin(bytes)
      take(isTooLong ? null : Buffer.concat(begun), count)
    }
    begun = []
    begunBytes = 0
    isTooLong = false
  }

  return {
    add(chunk) {
      let start = 0
      for (let next = chunk.indexOf(LINE_FEED); next !== -1; next = chunk.indexOf(LINE_FEED, start)) {
        end(chunk.subarray(start, next))
        start = next + 1
      }
      begin(chunk.subarray(start))
    },
    finish() {
      if (begunBytes > 0) end(Buffer.alloc(0))
    },
    count: () => count,
  }
}

const LINE_FEED = 0x0a
