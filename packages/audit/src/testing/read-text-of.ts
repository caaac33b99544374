import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AgentSession, FoundSession } from '../find/agent-session.ts'
import { readSession } from '../read/read-session.ts'
import type { SessionsRead } from '../read/read-session.ts'

/** Reads a text as a file of an agent. */
export async function readTextOf(agent: FoundSession['agent'], text: string, name = 'a.jsonl'): Promise<SessionsRead> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-read-'))
  const path = join(folder, name)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    return await readSession({ agent, path, bytes: Buffer.byteLength(text), changedAt: 0 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Lists a session, one line per entry: the role and the words. */
export function tell({ imported }: AgentSession): readonly string[] {
  return imported.entries.map((entry) => {
    if (entry.type === 'message') return `${entry.role}: ${entry.parts.map((part) => wordsOf(part)).join(' + ')}`
    if (entry.type !== 'compaction') return entry.type
    const { document, firstKept, carried } = entry
    const texts = document.sections.flatMap(({ items }) => items.map(({ text }) => text))
    const kept = [...(firstKept === null ? [] : [`from ${firstKept.seq}`]), ...carried.map(({ seq }) => `with ${seq}`)]
    return `compaction: ${[texts.join(' + '), ...kept].join(', ')}`
  })
}

type Part = Extract<AgentSession['imported']['entries'][number], { readonly type: 'message' }>['parts'][number]

function wordsOf(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  if (part.type === 'tool-call') return `${part.toolName}(${JSON.stringify(part.input)})`
  return part.type === 'tool-result' ? `= ${JSON.stringify(part.output)}` : part.type
}
