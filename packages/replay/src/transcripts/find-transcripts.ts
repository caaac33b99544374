import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TranscriptFile, TranscriptProblem } from './transcript-file.ts'

interface FoundTranscripts {
  readonly files: readonly TranscriptFile[]
  readonly problems: readonly TranscriptProblem[]
}

/** A file stands for itself, a folder for every `.jsonl` in it, however deep: that is how agents keep their sessions. */
export async function findTranscripts(paths: readonly string[]): Promise<FoundTranscripts> {
  const files = new Map<string, TranscriptFile>()
  const problems: TranscriptProblem[] = []
  const add = async (path: string): Promise<void> => {
    const found = await stat(path)
    if (!found.isDirectory()) {
      files.set(path, { path, bytes: found.size })
      return
    }
    const inside = await readdir(path, { recursive: true, withFileTypes: true })
    const transcripts = inside
      .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
      .map(({ parentPath, name }) => join(parentPath, name))
    if (transcripts.length === 0) problems.push({ file: path, line: null, reason: 'a folder without any .jsonl file' })
    for (const transcript of transcripts.toSorted()) await add(transcript)
  }
  for (const path of paths) {
    await add(path).catch((error: unknown) => problems.push({ file: path, line: null, reason: describeError(error) }))
  }
  return { files: [...files.values()], problems }
}

export function describeError(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'there is no such file or folder'
  return error instanceof Error ? error.message : String(error)
}
