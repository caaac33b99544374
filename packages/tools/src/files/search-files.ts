import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ALLOW, defineTool } from '../define-tool.ts'
import type { Tool } from '../port/tool.ts'
import { tellFileProblems } from './file-problem.ts'
import type { Workspace } from './workspace.ts'

const MAX_MATCHES = 200
const MAX_FILES = 20_000
const MAX_FILE_BYTES = 2_000_000
const MAX_LINE_CHARS = 300
/** Folders that hold what others wrote, in numbers that drown everything else. */
const SKIPPED = new Set(['.git', 'node_modules', '.venv', '__pycache__', 'dist', 'target'])

export function createSearchFilesTool(workspace: Workspace): Tool {
  return defineTool({
    name: 'search_files',
    description:
      'Finds text in files under a folder, without regard to case. Answers path:line: text. Literal text, not a pattern.',
    input: z.object({
      text: z.string().min(1),
      path: z.string().optional().describe('Where to look; default: the whole workspace.'),
    }),
    permit: ({ path = '.' }) =>
      workspace.holds(path) ? ALLOW : { verdict: 'ask', reason: `Search ${path}, which lies outside the workspace?` },
    run: ({ text, path = '.' }, { signal }) =>
      tellFileProblems(path, async () => {
        const folder = await workspace.locate(path, { mayLeave: !workspace.holds(path) })
        const wanted = text.toLowerCase()
        const matches: string[] = []
        let files = 0
        for await (const file of findFiles(folder)) {
          if (signal.aborted || matches.length >= MAX_MATCHES || files >= MAX_FILES) break
          files += 1
          matches.push(...(await searchFile(file, workspace.show(file), wanted)))
        }
        if (matches.length === 0) return `Nothing found in ${files} files.`
        const shown = matches.slice(0, MAX_MATCHES)
        return matches.length >= MAX_MATCHES
          ? [...shown, `… stopped at ${MAX_MATCHES} places`].join('\n')
          : shown.join('\n')
      }),
  })
}

/** The file itself where one was named; a path that is not there rejects. */
async function* findFiles(path: string): AsyncGenerator<string> {
  if ((await stat(path)).isFile()) yield path
  else yield* walk(path)
}

async function* walk(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    // Links are not followed: they may lead out of the workspace, or in a circle.
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* walk(join(folder, entry.name))
    else if (entry.isFile()) yield join(folder, entry.name)
  }
}

async function searchFile(file: string, shown: string, wanted: string): Promise<readonly string[]> {
  const text = await readSmall(file)
  if (text === null || !text.toLowerCase().includes(wanted)) return []
  return text.split('\n').flatMap((line, index) => {
    if (!line.toLowerCase().includes(wanted)) return []
    return [`${shown}:${index + 1}: ${line.trim().slice(0, MAX_LINE_CHARS)}`]
  })
}

async function readSmall(file: string): Promise<string | null> {
  const handle = await open(file, 'r').catch(() => null)
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    if (size > MAX_FILE_BYTES) return null
    const bytes = await handle.readFile()
    return bytes.subarray(0, 8_000).includes(0) ? null : bytes.toString('utf8')
  } catch {
    return null
  } finally {
    await handle.close()
  }
}
