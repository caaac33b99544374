import { MEMORY_NAMES } from '@longhaul/agent'
import type { LogLine, MemoryFolder } from '@longhaul/agent'
import { createNamedFiles } from '@longhaul/tools'

/** Memory as files of a folder. What is passed over in it is logged, once for each file. */
export function createMemoryFolder(folder: string, log: (line: LogLine) => void = () => undefined): MemoryFolder {
  return createNamedFiles({
    folder,
    names: MEMORY_NAMES,
    onLeftOut: (message) => log({ level: 'warn', event: 'file-left-out', message }),
  })
}
