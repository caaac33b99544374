import { mkdir, open, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

interface MemoryFile {
  readonly name: string
  /** When it was last changed, in whole milliseconds. */
  readonly updatedAt: number
}

/** Memory as files people can read: `MEMORY.md` and one file a day under `memory/`. */
export interface MemoryFolder {
  list(): Promise<readonly MemoryFile[]>
  read(name: string): Promise<string | null>
  /** Adds to the end; what others add at the same time stays. Resolves once it is on disk. */
  append(name: string, text: string): Promise<void>
}

const NAME = /^(?:MEMORY\.md|memory\/[\w.-]{1,100}\.md)$/

/** Names come from models too: nothing but memory files is ever reached by one. */
export function isMemoryName(name: string): boolean {
  return NAME.test(name) && !name.includes('..')
}

export function createMemoryFolder(folder: string): MemoryFolder {
  return {
    async list() {
      const daily = await readdir(join(folder, 'memory')).catch(orNothing)
      const names = ['MEMORY.md', ...daily.map((name) => `memory/${name}`)].filter(isMemoryName)
      const files = await Promise.all(names.map((name) => describeFile(folder, name)))
      return files.flatMap((file) => file ?? [])
    },
    async read(name) {
      if (!isMemoryName(name)) return null
      return readFile(join(folder, name), 'utf8').catch(() => null)
    },
    async append(name, text) {
      if (!isMemoryName(name)) throw new Error(`${name} is not the name of a memory file.`)
      await mkdir(join(folder, 'memory'), { recursive: true })
      const handle = await open(join(folder, name), 'a')
      try {
        await handle.appendFile(text, 'utf8')
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
  }
}

/** What is not there holds nothing; what cannot be read is an error, or it would be taken for deleted. */
function orNothing(error: unknown): readonly string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}

async function describeFile(folder: string, name: string): Promise<MemoryFile | null> {
  const stats = await stat(join(folder, name)).catch(() => null)
  return stats?.isFile() === true ? { name, updatedAt: Math.floor(stats.mtimeMs) } : null
}
