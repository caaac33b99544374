import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import type { Tool } from '../port/tool.ts'
import { tellFileProblems } from './file-problem.ts'
import type { GuardedPath } from './guarded-path.ts'
import { createPathGuard } from './judge-path.ts'
import { judgeWriting } from './judge-write.ts'
import { describeKind } from './open-place.ts'
import { readWhole } from './read-place.ts'
import type { Place, Workspace } from './workspace.ts'
import { appendText, notUtf8, replaceText } from './write-place.ts'

/** An edit reads the whole file and writes all of it anew. */
const MAX_EDIT_BYTES = 10_000_000

export interface WriteFileOptions {
  /** Paths that are asked about besides those of the table in `steering-files.ts`. */
  readonly guarded?: readonly GuardedPath[]
}

export function createWriteFileTool(workspace: Workspace, { guarded = [] }: WriteFileOptions = {}): Tool {
  const guard = createPathGuard(workspace, judgeWriting(workspace, guarded))
  return defineTool({
    name: 'write_file',
    description:
      'Writes a text file, with its folders where they are missing. mode: "replace" (default) writes the whole file, "append" adds to its end, "edit" replaces the one place where `find` stands by `content`.',
    input: z.object({
      path: z.string().min(1).describe('Relative to the workspace, or absolute.'),
      content: z.string(),
      mode: z.enum(['replace', 'append', 'edit']).optional(),
      find: z.string().min(1).optional().describe('For "edit": text that stands in the file exactly once.'),
    }),
    permit: ({ path }) => guard.permit(path),
    run: ({ path, content, mode = 'replace', find }, context) =>
      tellFileProblems(path, async () => {
        const place = await guard.enter(path, context)
        const kind = place.stats === null ? null : describeKind(place.stats)
        if (kind !== null) throw new Error(`${kind}, not a file: ${path}`)
        if (mode === 'append') return append(place, content)
        const text = mode === 'replace' ? content : await edit(place, { content, find })
        await replaceText(place, text)
        const chars = `${text.length} characters`
        return place.stats === null
          ? `Created ${path} (${chars}).`
          : `Wrote ${path} (${chars}; it had ${place.stats.size} bytes before).`
      }),
  })
}

async function append(place: Place, content: string): Promise<string> {
  const before = await appendText(place, content)
  const chars = `${content.length} characters`
  return place.stats === null
    ? `Created ${place.path} (${chars}).`
    : `Added ${chars} to ${place.path}, behind the ${before} bytes it had.`
}

interface Edit {
  readonly content: string
  readonly find: string | undefined
}

/** The text of the file with the edit made. It must read back as it was: what is not UTF-8 would be written back damaged. */
async function edit(place: Place, { content, find }: Edit): Promise<string> {
  if (find === undefined) throw new Error('For mode "edit", `find` says which text to replace.')
  if (place.stats === null) throw new Error('There is no such file to edit.')
  const bytes = await readWhole(place, MAX_EDIT_BYTES)
  if (!isUtf8(bytes)) throw notUtf8(place.path)
  const before = bytes.toString('utf8')
  const at = before.indexOf(find)
  if (at === -1) throw new Error('The text to replace does not stand in the file. Read it again.')
  if (before.includes(find, at + 1)) throw new Error('The text to replace stands in the file more than once.')
  return `${before.slice(0, at)}${content}${before.slice(at + find.length)}`
}
