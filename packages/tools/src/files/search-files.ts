import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import type { Tool } from '../port/tool.ts'
import { tellFileProblems } from './file-problem.ts'
import { findPassedOver } from './guarded-path.ts'
import type { GuardedPath } from './guarded-path.ts'
import { createPathGuard, judgeReading } from './judge-path.ts'
import { describeKind } from './open-place.ts'
import { looksBinary, readWhole } from './read-place.ts'
import type { Place, Workspace } from './workspace.ts'

const MAX_MATCHES = 200
const MAX_FILES = 20_000
const MAX_FOLDERS = 20_000
const MAX_FILE_BYTES = 2_000_000
const MAX_LINE_CHARS = 300
/** Folders that hold what others wrote, in numbers that drown everything else. */
const SKIPPED = new Set(['.git', 'node_modules', '.venv', '__pycache__', 'dist', 'target'])

export function createSearchFilesTool(workspace: Workspace, guarded: readonly GuardedPath[] = []): Tool {
  const guard = createPathGuard(workspace, judgeReading({ workspace, verb: 'Search', guarded }))
  return defineTool({
    name: 'search_files',
    description:
      'Finds text in files under a folder, without regard to case. Answers path:line: text. Literal text, not a pattern.',
    input: z.object({
      text: z.string().min(1),
      path: z.string().optional().describe('Where to look; default: the whole workspace.'),
    }),
    permit: ({ path = '.' }) => guard.permit(path),
    run: ({ text, path = '.' }, context) =>
      tellFileProblems(path, async () => {
        const place = await guard.enter(path, context)
        const wanted = text.toLowerCase()
        const matches: string[] = []
        let files = 0
        const passedOver = await findPassedOver(workspace, guarded, place)
        for await (const file of findFiles(place, { passedOver, signal: context.signal })) {
          if (matches.length >= MAX_MATCHES || files >= MAX_FILES) break
          files += 1
          matches.push(...(await searchFile(file, wanted)))
        }
        if (matches.length === 0) return `Nothing found in ${files} files.`
        const shown = matches.slice(0, MAX_MATCHES)
        return matches.length >= MAX_MATCHES
          ? [...shown, `… stopped at ${MAX_MATCHES} places`].join('\n')
          : shown.join('\n')
      }),
  })
}

type FoundFile = Pick<Place, 'real' | 'path'>

interface WalkOptions {
  /** Files and folders that are private, each by its real path. */
  readonly passedOver: ReadonlySet<string>
  readonly signal: AbortSignal
}

/** The file itself where one was named; a path that is not there rejects. `path` is how each file is shown. */
async function* findFiles(place: Place, options: WalkOptions): AsyncGenerator<FoundFile> {
  const { path, real, shown, stats } = place
  if (stats === null) throw new Error(`No such file or folder: ${path}`)
  if (stats.isFile()) yield { real, path: shown }
  else if (stats.isDirectory()) yield* walk(place, options)
  else throw new Error(`${describeKind(stats)}, not a file: ${path}`)
}

async function* walk({ real: top, shown }: Place, { passedOver, signal }: WalkOptions): AsyncGenerator<FoundFile> {
  const waiting = [top]
  for (let folders = 0; folders < MAX_FOLDERS && !signal.aborted; folders += 1) {
    const folder = waiting.pop()
    if (folder === undefined) return
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    const open = entries.filter(({ name }) => !passedOver.has(join(folder, name)))
    const sorted = open.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of sorted) {
      if (signal.aborted) return
      const real = join(folder, entry.name)
      if (entry.isFile()) yield { real, path: join(shown, relative(top, real)) }
    }
    // Links are not followed: they may lead out of the workspace, or in a circle.
    const below = sorted.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
    waiting.push(...below.toReversed().map(({ name }) => join(folder, name)))
  }
}

async function searchFile(file: FoundFile, wanted: string): Promise<readonly string[]> {
  // A file that is too large, gone, or not to be read holds nothing that can be found.
  const bytes = await readWhole(file, MAX_FILE_BYTES).catch(() => null)
  if (bytes === null || looksBinary(bytes)) return []
  const text = bytes.toString('utf8')
  if (!text.toLowerCase().includes(wanted)) return []
  return text.split('\n').flatMap((line, index) => {
    if (!line.toLowerCase().includes(wanted)) return []
    return [`${file.path}:${index + 1}: ${line.trim().slice(0, MAX_LINE_CHARS)}`]
  })
}
