import { open } from 'node:fs/promises'
import { z } from 'zod'
import { ALLOW, defineTool } from '../define-tool.ts'
import type { Tool } from '../port/tool.ts'
import { tellFileProblems } from './file-problem.ts'
import type { Workspace } from './workspace.ts'

/** What one call reads at most; the agent cuts further what it stores. */
const MAX_BYTES = 10_000_000

export function createReadFileTool(workspace: Workspace): Tool {
  return defineTool({
    name: 'read_file',
    description: 'Reads a text file. Lines are counted from 1; give fromLine and lines to read a part of a long file.',
    input: z.object({
      path: z.string().min(1).describe('Relative to the workspace, or absolute.'),
      fromLine: z.int().min(1).optional(),
      lines: z.int().min(1).optional(),
    }),
    permit: ({ path }) =>
      workspace.holds(path) ? ALLOW : { verdict: 'ask', reason: `Read ${path}, which lies outside the workspace?` },
    run: ({ path, fromLine, lines }) =>
      tellFileProblems(path, async () => {
        const file = await workspace.locate(path, { mayLeave: !workspace.holds(path) })
        const text = await readText(file, path)
        if (fromLine === undefined && lines === undefined) return text
        const from = (fromLine ?? 1) - 1
        return text
          .split('\n')
          .slice(from, lines === undefined ? undefined : from + lines)
          .join('\n')
      }),
  })
}

async function readText(file: string, shown: string): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error(`${shown} is not a file.`)
    const buffer = Buffer.alloc(Math.min(stats.size, MAX_BYTES))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    const bytes = buffer.subarray(0, bytesRead)
    if (bytes.subarray(0, 8_000).includes(0)) throw new Error(`${shown} is not a text file (${stats.size} bytes).`)
    const text = bytes.toString('utf8')
    return stats.size > MAX_BYTES ? `${text}\n[... ${stats.size - MAX_BYTES} more bytes are not shown ...]` : text
  } finally {
    await handle.close()
  }
}
