import type { LogLine } from '@longhaul/agent'
import { createWorkspace, readInside } from '@longhaul/tools'

/** Files of the workspace that every session is given, in this order, if they are there. */
export const BOOTSTRAP_FILES = ['AGENTS.md', 'SOUL.md', 'IDENTITY.md', 'USER.md', 'TOOLS.md'] as const
/** Only the head is used; what is larger than this is no text that somebody wrote. */
const MAX_FILE_BYTES = 10_000_000

/** Reads such files. null: it is not there, or it is left out – a pipe, a link that leads out – which is logged. */
export function createBootstrapReader(
  folder: string,
  log: (line: LogLine) => void,
): (name: string) => Promise<string | null> {
  const workspace = createWorkspace(folder)
  return async (name) => {
    try {
      return await readInside(workspace, name, MAX_FILE_BYTES)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      log({ level: 'warn', event: 'file-left-out', message: `${name} in ${folder} is left out: ${why}` })
      return null
    }
  }
}
