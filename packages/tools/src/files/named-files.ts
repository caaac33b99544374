import type { Stats } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { describeKind, withFolder } from './open-place.ts'
import { readInside, refuseWayOut } from './read-place.ts'
import { createWorkspace } from './workspace.ts'
import type { Place, Workspace } from './workspace.ts'
import { appendText } from './write-place.ts'

/** Which files of a folder belong together: those named, and those in the folders named, if their name is a good one. */
export interface FileNames {
  readonly files: readonly string[]
  readonly folders: readonly string[]
  readonly isName: (name: string) => boolean
}

export interface NamedFilesOptions {
  readonly folder: string
  readonly names: FileNames
  /** Called once for each file or folder that is passed over, with a sentence that says why. */
  readonly onLeftOut?: (message: string) => void
}

/** Text files of one folder, opened as every file of a workspace is: never out of it, and only regular ones. */
export interface NamedFiles {
  /** `leftOut` names what is there and is not used: links that lead out, pipes, files that are too large. */
  readonly list: () => Promise<NamedFilesList>
  /** null: there is no such file, or it is left out. */
  readonly read: (name: string) => Promise<string | null>
  /** Adds to the end; what others add at the same time stays. Resolves once it is on disk. Writes through no link. */
  readonly append: (name: string, text: string) => Promise<void>
}

export interface NamedFilesList {
  readonly files: readonly NamedFile[]
  readonly leftOut: readonly string[]
}

interface NamedFile {
  readonly name: string
  /** When it was last changed, in whole milliseconds. */
  readonly updatedAt: number
}

const MAX_FILE_BYTES = 10_000_000

/**
 * ```ts
 * const notes = createNamedFiles({ folder, names: { files: [], folders: ['notes'], isName: (name) => name.endsWith('.md') } })
 * await notes.append('notes/today.md', '- The gate is green.\n')
 * ```
 */
export function createNamedFiles({ folder, names, onLeftOut = () => undefined }: NamedFilesOptions): NamedFiles {
  const workspace = createWorkspace(folder)
  const told = new Set<string>()

  function leaveOut(name: string, error: unknown): LeftOut {
    const why = error instanceof Error ? error.message : String(error)
    const message = `${name} in ${workspace.folder} is left out: ${why}`
    if (!told.has(message)) onLeftOut(message)
    told.add(message)
    return { name, isLeftOut: true }
  }

  /** One that cannot be used does not keep the others from being listed. */
  async function orLeftOut<T>(name: string, look: () => Promise<T>): Promise<T | LeftOut> {
    return look().catch((error: unknown) => leaveOut(name, error))
  }

  const describe = (name: string): Promise<Found | null> =>
    orLeftOut(name, async () => {
      const place = await workspace.find(name)
      refuseWayOut(place)
      return place.stats === null ? null : toFile(name, place.stats)
    })

  async function listFolder(name: string): Promise<readonly (Found | null)[]> {
    const place = await orLeftOut(name, () => findFolder(workspace, name))
    if (place === null || 'isLeftOut' in place) return [place]
    return withFolder(place, async ({ at }) => {
      const entries = await readdir(at('.'), { withFileTypes: true })
      const good = entries.filter((entry) => names.isName(`${name}/${entry.name}`))
      return Promise.all(
        good.map(async (entry) => {
          const full = `${name}/${entry.name}`
          if (entry.isSymbolicLink()) return describe(full)
          const stats = await lstat(at(entry.name)).catch(() => null)
          return stats === null ? null : orLeftOut(full, async () => toFile(full, stats))
        }),
      )
    })
  }

  return {
    async list() {
      const found = await Promise.all([
        ...names.files.map(async (name) => [await describe(name)]),
        ...names.folders.map(listFolder),
      ])
      const there = found.flat().filter((each) => each !== null)
      return {
        files: there.flatMap((each) => ('isLeftOut' in each ? [] : [each])),
        leftOut: there.flatMap((each) => ('isLeftOut' in each ? [each.name] : [])),
      }
    },
    async read(name) {
      if (!names.isName(name)) return null
      try {
        return await readInside(workspace, name, MAX_FILE_BYTES)
      } catch (error) {
        leaveOut(name, error)
        return null
      }
    },
    async append(name, text) {
      if (!names.isName(name)) throw new Error(`${name} is not the name of such a file.`)
      const add = async (): Promise<void> => {
        const place = await workspace.find(name)
        if (place.isLinked) throw new Error(`${name} is reached through a link, and nothing is written through one.`)
        await appendText(place, text, { isSynced: true })
      }
      // Somebody else may make the file in the same moment; then both add to it.
      await add().catch((error: unknown) => (isTaken(error) ? add() : Promise.reject(error)))
    },
  }
}

interface LeftOut {
  readonly name: string
  readonly isLeftOut: true
}

type Found = NamedFile | LeftOut

/** null: it is not there. Rejects if it is no folder, or leads out. */
async function findFolder(workspace: Workspace, name: string): Promise<Place | null> {
  const place = await workspace.find(name)
  refuseWayOut(place)
  if (place.stats === null) return null
  if (!place.stats.isDirectory()) throw new Error(`${describeKind(place.stats) ?? 'A file'}, not a folder.`)
  return place
}

function toFile(name: string, stats: Stats): NamedFile {
  const kind = describeKind(stats)
  if (kind !== null) throw new Error(`${kind}, not a file.`)
  if (stats.size > MAX_FILE_BYTES) throw new Error(`it has ${stats.size} bytes, and ${MAX_FILE_BYTES} are the most.`)
  return { name, updatedAt: Math.floor(stats.mtimeMs) }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
