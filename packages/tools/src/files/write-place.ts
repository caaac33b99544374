import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { createFile, withFile, withFolderOf } from './open-place.ts'
import type { Target } from './open-place.ts'
import { readTail } from './read-place.ts'
import type { Place } from './workspace.ts'

/** As much of a file's end is looked at before text is added to it. */
const TAIL_BYTES = 65_536

export interface AppendOptions {
  /** Resolves only once it is on disk. */
  readonly isSynced?: boolean
}

/**
 * Adds text to the end of a file, or makes the file. What others add at the same time stays, and nothing of the file is
 * read but its end: that must be UTF-8, or the file would hold two encodings. Returns the size before, in bytes.
 */
export async function appendText(place: Place, text: string, options: AppendOptions = {}): Promise<number> {
  if (place.stats === null) {
    await withFolderOf(place, async (folder, name) => {
      const handle = await createFile(folder, name)
      try {
        await addTo(handle, text, options)
      } finally {
        await handle.close()
      }
    })
    return 0
  }
  const { ino, dev } = place.stats
  return withFile(place, 'append', async (handle, stats) => {
    if (stats.ino !== ino || stats.dev !== dev) throw new Error(`Something else was put there meanwhile: ${place.path}`)
    if (!isUtf8(fromWholeCharacter(await readTail(handle, stats.size, TAIL_BYTES)))) throw notUtf8(place.path)
    await addTo(handle, text, options)
    return stats.size
  })
}

async function addTo(handle: FileHandle, text: string, { isSynced = false }: AppendOptions): Promise<void> {
  await handle.appendFile(text, 'utf8')
  if (isSynced) await handle.sync()
}

/** A tail may begin in the middle of a character. */
function fromWholeCharacter(tail: Buffer): Buffer {
  if (tail.length < TAIL_BYTES) return tail
  const start = tail.subarray(0, 4).findIndex((byte) => (byte & 0b1100_0000) !== 0b1000_0000)
  return tail.subarray(Math.max(start, 0))
}

export function notUtf8(path: string): Error {
  return new Error(`${path} is not UTF-8 text, so it was left as it is. It can only be replaced as a whole.`)
}

/** Written beside the file and moved over it, so that a crash leaves the old file or the new one, never half of one. */
export async function replaceText(target: Target, text: string): Promise<void> {
  const { stats = null } = target
  await withFolderOf(target, async (folder, name) => {
    const draft = `.longhaul-${randomUUID()}.tmp`
    const handle = await createFile(folder, draft)
    try {
      try {
        await handle.writeFile(text, 'utf8')
        if (stats !== null) await handle.chmod(stats.mode & 0o777)
      } finally {
        await handle.close()
      }
      await rename(folder.at(draft), folder.at(name))
    } catch (error) {
      await rm(folder.at(draft), { force: true })
      throw error
    }
  })
}
