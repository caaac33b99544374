import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ALLOW, defineTool } from '../define-tool.ts'
import type { Tool } from '../port/tool.ts'
import { tellFileProblems } from './file-problem.ts'
import type { Workspace } from './workspace.ts'

const MAX_ENTRIES = 1_000

export function createListFilesTool(workspace: Workspace): Tool {
  return defineTool({
    name: 'list_files',
    description: 'Lists a folder: one entry a line, folders end with a slash, files with their size in bytes.',
    input: z.object({ path: z.string().optional().describe('Default: the workspace itself.') }),
    permit: ({ path = '.' }) =>
      workspace.holds(path) ? ALLOW : { verdict: 'ask', reason: `List ${path}, which lies outside the workspace?` },
    run: ({ path = '.' }) =>
      tellFileProblems(path, async () => {
        const folder = await workspace.locate(path, { mayLeave: !workspace.holds(path) })
        const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
        if (entries.length === 0) return 'The folder is empty.'
        const lines = await Promise.all(
          entries.slice(0, MAX_ENTRIES).map(async (entry) => {
            if (entry.isDirectory()) return `${entry.name}/`
            const size = await stat(join(folder, entry.name)).then(
              (stats) => `${stats.size}`,
              () => 'a link that leads nowhere',
            )
            return `${entry.name} (${size})`
          }),
        )
        const more = entries.length - MAX_ENTRIES
        return more > 0 ? [...lines, `… and ${more} more`].join('\n') : lines.join('\n')
      }),
  })
}
