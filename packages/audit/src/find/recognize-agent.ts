import { open } from 'node:fs/promises'
import { sep } from 'node:path'
import { isRecord } from '@longhaul/engine/advanced'
import { recogniseFormat } from '@longhaul/store/jsonl'
import type { Fields } from '@longhaul/store/jsonl'
import { readLines } from '../read/read-lines.ts'
import { isGeminiLine } from '../read/read-gemini-session.ts'
import type { FoundSession } from './agent-session.ts'

const HEAD_BYTES = 64 * 1024
const HEAD_LINES = 40

/** Recognizes by the content of a file which agent wrote it; null for a file of another kind. */
export async function recognizeAgent(path: string): Promise<FoundSession['agent'] | null> {
  const head = await readHead(path)
  if (head.startsWith('SQLite format 3\0')) return recognizeDatabase(path)
  if (path.endsWith('.json')) return recognizeDocument(head)
  if (!path.endsWith('.zst') && !/^\uFEFF?\s*[[{]/.test(head)) return null
  const { lines } = await readLines(path, { maxLines: HEAD_LINES })
  const values = lines.map(({ value }) => value)
  if (values.some(isCodexLine)) return 'codex'
  if (values.some(isGeminiLine)) return 'gemini-cli'
  const format = recogniseFormat(lines)
  if (format === 'claude-code') return format
  if (format === 'pi') return isOpenClaw(path, head) ? 'openclaw' : format
  return format === null ? recognizeDocument(head) : 'other'
}

function recognizeDatabase(path: string): FoundSession['agent'] | null {
  if (path.endsWith('openclaw-agent.sqlite')) return 'openclaw'
  return /opencode[^/\\]*\.db$/.test(path) ? 'opencode' : null
}

/** One document over many lines shows only its beginning here. */
function recognizeDocument(head: string): FoundSession['agent'] | null {
  if (/"sessionId"\s*:/.test(head) && /"projectHash"\s*:/.test(head)) return 'gemini-cli'
  if (/"id"\s*:\s*"ses_/.test(head) && /"projectID"\s*:/.test(head)) return 'opencode'
  return /"messages"\s*:\s*\[|^\s*\[\s*\{[^]*"role"\s*:/.test(head) ? 'other' : null
}

function isCodexLine(value: Fields): boolean {
  const { type, payload } = value
  if (isRecord(payload)) return type === 'session_meta' || type === 'response_item' || type === 'turn_context'
  return value['record_type'] === 'state' || (type === 'message' && Array.isArray(value['content']))
}

/** Both write the same lines; OpenClaw's tell of it, or lie where it keeps them. */
function isOpenClaw(path: string, head: string): boolean {
  return head.includes('"__openclaw"') || head.includes('"openclaw.') || path.split(sep).includes('.openclaw')
}

async function readHead(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
