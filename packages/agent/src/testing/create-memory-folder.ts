import { createNamedFiles } from '@longhaul/tools'
import { MEMORY_NAMES } from '../memory/memory-folder.ts'
import type { MemoryFolder } from '../memory/memory-folder.ts'

/** Real files, as the runtime wires them. */
export function createMemoryFolder(folder: string): MemoryFolder {
  return createNamedFiles({ folder, names: MEMORY_NAMES })
}
