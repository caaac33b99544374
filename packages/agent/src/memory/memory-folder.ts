interface MemoryFile {
  readonly name: string
  /** When it was last changed, in whole milliseconds. */
  readonly updatedAt: number
}

/**
 * Memory as files people can read: `MEMORY.md` and one file a day under `memory/`. The agent opens no file itself; who
 * starts it brings a folder that opens none outside.
 */
export interface MemoryFolder {
  /** `leftOut` names files that are there but are not used, such as links that lead out of the folder. */
  readonly list: () => Promise<{ readonly files: readonly MemoryFile[]; readonly leftOut: readonly string[] }>
  /** null: there is no such file, or it is left out. */
  readonly read: (name: string) => Promise<string | null>
  /** Adds to the end; what others add at the same time stays. Resolves once it is on disk. */
  readonly append: (name: string, text: string) => Promise<void>
}

const NAME = /^(?:MEMORY\.md|memory\/[\w.-]{1,100}\.md)$/

/** Names come from models too: nothing but memory files is ever reached by one. */
export function isMemoryName(name: string): boolean {
  return NAME.test(name) && !name.includes('..')
}

/** Says which files of a folder are memory. */
export const MEMORY_NAMES = { files: ['MEMORY.md'], folders: ['memory'], isName: isMemoryName } as const
