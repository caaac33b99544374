import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import type { Tool } from '../port/tool.ts'
import { tellFileProblems } from './file-problem.ts'
import type { GuardedPath } from './guarded-path.ts'
import { createPathGuard, judgeReading } from './judge-path.ts'
import { looksBinary, readHead } from './read-place.ts'
import type { Place, Workspace } from './workspace.ts'

/** One call reads so much at most; the agent cuts further what it stores. */
const MAX_BYTES = 10_000_000

export function createReadFileTool(workspace: Workspace, guarded: readonly GuardedPath[] = []): Tool {
  const guard = createPathGuard(workspace, judgeReading({ workspace, verb: 'Read', guarded }))
  return defineTool({
    name: 'read_file',
    description: 'Reads a text file. Lines are counted from 1; give fromLine and lines to read a part of a long file.',
    input: z.object({
      path: z.string().min(1).describe('Relative to the workspace, or absolute.'),
      fromLine: z.int().min(1).optional(),
      lines: z.int().min(1).optional(),
    }),
    permit: ({ path }) => guard.permit(path),
    run: ({ path, fromLine, lines }, context) =>
      tellFileProblems(path, async () => {
        const text = await readText(await guard.enter(path, context))
        if (fromLine === undefined && lines === undefined) return text
        const from = (fromLine ?? 1) - 1
        return text
          .split('\n')
          .slice(from, lines === undefined ? undefined : from + lines)
          .join('\n')
      }),
  })
}

async function readText(place: Place): Promise<string> {
  const { bytes, size } = await readHead(place, MAX_BYTES)
  if (looksBinary(bytes)) throw new Error(`${place.path} is not a text file (${size} bytes).`)
  const text = bytes.toString('utf8')
  return size > MAX_BYTES ? `${text}\n[... ${size - MAX_BYTES} more bytes are not shown ...]` : text
}
