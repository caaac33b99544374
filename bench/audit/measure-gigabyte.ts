import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findDataSet } from '../data-sets.ts'
import type { AuditRun } from './audit-folder.ts'

/** Three of the four were compacted, so more of them is measured than of the sessions that people have. */
const FILES = [
  'claude-code/258c7280.jsonl',
  'claude-code/4d5611e5.jsonl',
  'pi/before-compaction.jsonl',
  'claude-code/subagent.jsonl',
]
const PROGRAM = fileURLToPath(new URL('audit-folder.ts', import.meta.url))

export interface GigabyteRun extends AuditRun {
  readonly files: number
  readonly bytes: number
}

/**
 * Writes real sessions again and again with new ids until there are `bytes` of them, and audits the folder in a process of
 * its own. null: the sessions are not here.
 */
export async function measureGigabyte(bytes: number): Promise<GigabyteRun | null> {
  const paths = FILES.flatMap((file) => findDataSet(file) ?? [])
  if (paths.length < FILES.length) return null
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-audit-'))
  try {
    const written = await writeCopies(paths, folder, bytes)
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, folder])
    return { ...written, ...(JSON.parse(stdout) as AuditRun) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function writeCopies(
  paths: readonly string[],
  folder: string,
  atLeast: number,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  let files = 0
  let bytes = 0
  while (bytes < atLeast) {
    const text = withNewIds(texts[files % texts.length] ?? '', files)
    await writeFile(join(folder, `${files}.jsonl`), text)
    bytes += Buffer.byteLength(text)
    files += 1
  }
  return { files, bytes }
}

function withNewIds(text: string, copy: number): string {
  const tag = copy.toString(16).padStart(4, '0')
  return text.replaceAll(/("(?:uuid|parentUuid|sessionId|logicalParentUuid)":")[0-9a-f]{4}/g, `$1${tag}`)
}
