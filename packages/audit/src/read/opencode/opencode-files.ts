import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '@longhaul/engine/advanced'
import { parseJson, readString } from '@longhaul/store/jsonl'
import type { Fields, SkippedLine } from '@longhaul/store/jsonl'
import type { OpencodeSession } from '../read-opencode-session.ts'

/** Versions before the database kept `session/PROJECT/ID.json`, `message/SESSION/ID.json` and `part/MESSAGE/ID.json`. */
export async function readOpencodeFiles(file: string, signal?: AbortSignal): Promise<OpencodeSession> {
  const storage = join(file, '../../..')
  const skipped: SkippedLine[] = []
  const info = await readJson(file)
  if (info === null) throw new Error('not JSON')
  const id = readString(info['id']) ?? ''
  const messages: OpencodeSession['messages'][number][] = []
  for (const message of await readFolder(join(storage, 'message', id), skipped)) {
    signal?.throwIfAborted()
    const parts = await readFolder(join(storage, 'part', readString(message['id']) ?? '-'), skipped)
    messages.push({ info: message, parts })
  }
  return { info, messages, skipped }
}

/** In the order of their names, which is that of their making. */
async function readFolder(folder: string, skipped: SkippedLine[]): Promise<readonly Fields[]> {
  const names = await readdir(folder).catch(() => [])
  const values: Fields[] = []
  for (const name of names.filter((each) => each.endsWith('.json')).toSorted()) {
    const value = await readJson(join(folder, name)).catch(() => null)
    if (value === null) skipped.push({ line: 0, reason: `${name} cannot be read` })
    else values.push(value)
  }
  return values
}

async function readJson(file: string): Promise<Fields | null> {
  const value = parseJson(await readFile(file, 'utf8'))
  return isRecord(value) ? value : null
}
