import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { ALLOW, defineTool } from '../define-tool.ts'
import type { Tool } from '../port/tool.ts'
import { tellFileProblems } from './file-problem.ts'
import type { Workspace } from './workspace.ts'

export function createWriteFileTool(workspace: Workspace): Tool {
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
    permit: ({ path }) => {
      if (!workspace.holds(path)) return { verdict: 'ask', reason: `Write ${path}, which lies outside the workspace?` }
      if (!isRead(workspace.show(workspace.resolve(path)))) return ALLOW
      return { verdict: 'ask', reason: `Write ${path}? It is read into every later conversation.` }
    },
    run: ({ path, content, mode = 'replace', find }) =>
      tellFileProblems(path, async () => {
        const file = await workspace.locate(path, { mayLeave: !workspace.holds(path) })
        const before = await readIfThere(file, mode === 'replace' ? null : path)
        const after = change(before, { content, mode, ...(find === undefined ? {} : { find }) })
        await replaceFile(file, after)
        const chars = `${after.length} characters`
        return before === null ? `Created ${path} (${chars}).` : `Wrote ${path} (${chars}, ${before.length} before).`
      }),
  })
}

const BOOTSTRAP = /^(?:agents|soul|identity|user|tools|memory)\.md$/

/** Files that become part of system prompts or memory: a page that talks the model into writing one would stay for good. */
function isRead(path: string): boolean {
  const name = path.replaceAll('\\', '/').toLowerCase()
  return BOOTSTRAP.test(name) || name.startsWith('memory/')
}

function change(
  before: string | null,
  { content, mode, find }: { content: string; mode: 'replace' | 'append' | 'edit'; find?: string },
): string {
  if (mode === 'replace') return content
  if (mode === 'append') return `${before ?? ''}${content}`
  if (find === undefined) throw new Error('For mode "edit", `find` says which text to replace.')
  if (before === null) throw new Error('There is no such file to edit.')
  const at = before.indexOf(find)
  if (at === -1) throw new Error('The text to replace does not stand in the file. Read it again.')
  if (before.includes(find, at + 1)) throw new Error('The text to replace stands in the file more than once.')
  return `${before.slice(0, at)}${content}${before.slice(at + find.length)}`
}

/** Kept, in part or in whole, it must read back as it was: what is not UTF-8 would be written back damaged. */
async function readIfThere(file: string, keptAs: string | null): Promise<string | null> {
  try {
    const bytes = await readFile(file)
    if (keptAs !== null && !isUtf8(bytes))
      throw new Error(`${keptAs} is not UTF-8 text, so it was left as it is. It can only be replaced as a whole.`)
    return bytes.toString('utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** Written beside it and moved over it, so that a crash leaves the old file or the new one, never half of one. */
async function replaceFile(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}.tmp`
  const mode = await stat(file).then(
    (stats) => stats.mode,
    () => 0o644,
  )
  try {
    await writeFile(draft, content, { mode })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
