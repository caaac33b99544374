import type { FileHandle } from 'node:fs/promises'
import { withFile } from './open-place.ts'
import type { Target } from './open-place.ts'
import { isMissing } from './workspace.ts'
import type { Place, Workspace } from './workspace.ts'

const CHUNK_BYTES = 1_000_000
/** Files of the system say that they are empty and are not. */
const MIN_CHUNK_BYTES = 16_384
/** A NUL byte among so many at the start: no text. */
const LOOKED_AT_BYTES = 8_000

export interface FileHead {
  readonly bytes: Buffer
  /** The size of the whole file. */
  readonly size: number
}

/** The start of a regular file: `maxBytes` at most, however large it is or says it is. */
export function readHead(target: Target, maxBytes: number): Promise<FileHead> {
  return withFile(target, 'read', async (handle, { size }) => {
    const bytes = await readBytes(handle, { size, maxBytes })
    return { bytes, size: Math.max(size, bytes.length) }
  })
}

/** The end of an open file: `maxBytes` at most. */
export function readTail(handle: FileHandle, size: number, maxBytes: number): Promise<Buffer> {
  return readBytes(handle, { size, maxBytes, from: Math.max(0, size - maxBytes) })
}

/** The whole text of a file. Rejects if it is larger than `maxBytes`, which is looked at before it is read. */
export async function readWhole(target: Target, maxBytes: number): Promise<Buffer> {
  return withFile(target, 'read', async (handle, { size }) => {
    const bytes = size > maxBytes ? null : await readBytes(handle, { size, maxBytes: maxBytes + 1 })
    if (bytes === null || bytes.length > maxBytes)
      throw new Error(`${target.path} is too large: it has ${size} bytes, and ${maxBytes} are the most.`)
    return bytes
  })
}

/**
 * The text of a file that must not lead out of its folder; null: there is no such file. Rejects for what leads out, is no
 * regular file, or is larger than `maxBytes`.
 * ```ts
 * const text = await readInside(createWorkspace('/srv/project'), 'AGENTS.md', 10_000_000)
 * ```
 */
export async function readInside(workspace: Workspace, path: string, maxBytes: number): Promise<string | null> {
  const place = await workspace.find(path)
  refuseWayOut(place)
  try {
    return place.stats === null ? null : (await readWhole(place, maxBytes)).toString('utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export function refuseWayOut({ path, real, leadsOut }: Place): void {
  if (leadsOut) throw new Error(`${path} is a link that leads out of its folder, to ${real}.`)
}

export function looksBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, LOOKED_AT_BYTES).includes(0)
}

interface ByteRange {
  /** The size that the file says it has. */
  readonly size: number
  readonly maxBytes: number
  readonly from?: number
}

async function readBytes(handle: FileHandle, { size, maxBytes, from = 0 }: ByteRange): Promise<Buffer> {
  const pieces: Buffer[] = []
  let total = 0
  while (total < maxBytes) {
    const expected = Math.max(size - from - total + 1, MIN_CHUNK_BYTES)
    const buffer = Buffer.allocUnsafe(Math.min(expected, CHUNK_BYTES, maxBytes - total))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, from + total)
    if (bytesRead === 0) break
    pieces.push(buffer.subarray(0, bytesRead))
    total += bytesRead
  }
  return Buffer.concat(pieces, total)
}
