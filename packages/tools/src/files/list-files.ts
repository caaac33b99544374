import type { Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import type { Tool } from '../port/tool.ts'
import { tellFileProblems } from './file-problem.ts'
import type { GuardedPath } from './guarded-path.ts'
import { createPathGuard, judgeReading } from './judge-path.ts'
import { describeKind, withFolder } from './open-place.ts'
import type { Workspace } from './workspace.ts'

const MAX_ENTRIES = 1_000
/** More names than this are not even counted. */
const MAX_NAMES = 100_000

export function createListFilesTool(workspace: Workspace, guarded: readonly GuardedPath[] = []): Tool {
  const guard = createPathGuard(workspace, judgeReading({ workspace, verb: 'List', guarded }))
  return defineTool({
    name: 'list_files',
    description: 'Lists a folder: one entry a line, folders end with a slash, files with their size in bytes.',
    input: z.object({ path: z.string().optional().describe('Default: the workspace itself.') }),
    permit: ({ path = '.' }) => guard.permit(path),
    run: ({ path = '.' }, context) =>
      tellFileProblems(path, async () =>
        withFolder(await guard.enter(path, context), async ({ at }) => {
          const entries = (await readNames(at('.'), context.signal)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
          if (entries.length === 0) return 'The folder is empty.'
          const lines = await Promise.all(
            entries.slice(0, MAX_ENTRIES).map((entry) => describeEntry(entry, at(entry.name))),
          )
          const more = entries.length - MAX_ENTRIES
          return more > 0 ? [...lines, `… and ${more} more`].join('\n') : lines.join('\n')
        }),
      ),
  })
}

async function readNames(folder: string, signal: AbortSignal): Promise<readonly Dirent[]> {
  const entries: Dirent[] = []
  for await (const entry of await opendir(folder, { bufferSize: 1_000 })) {
    if (signal.aborted || entries.length >= MAX_NAMES) break
    entries.push(entry)
  }
  return entries
}

/** Links are not followed: where one leads, and how large that is, is told when it is read. */
async function describeEntry(entry: Dirent, path: string): Promise<string> {
  if (entry.isDirectory()) return `${entry.name}/`
  const stats = await lstat(path).catch(() => null)
  if (stats === null) return `${entry.name} (gone meanwhile)`
  return `${entry.name} (${describeKind(stats)?.toLowerCase() ?? stats.size})`
}
