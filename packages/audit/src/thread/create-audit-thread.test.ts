import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { FoundSession } from '../find/agent-session.ts'
import { createPiLines, toJsonl } from '../testing/session-files.ts'
import { createAuditThread } from './create-audit-thread.ts'

const { signal } = new AbortController()
const onProgress = (): void => undefined

async function makeSession(text: string): Promise<FoundSession> {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-thread-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'a.jsonl')
  await writeFile(path, text)
  return { agent: 'pi', path, bytes: 1_000, changedAt: 0 }
}

test('22 a session that takes more memory than it may is told, and the process lives on', async () => {
  const parts = `[${Array<string>(4_000_000).fill('{"a":1.5}').join(',')}]`
  const lines = [
    `{"type":"session","version":3,"id":"x"}`,
    `{"type":"message","id":"a","message":{"role":"user","content":${parts}}}`,
  ]
  const found = await makeSession(lines.join('\n'))
  const thread = createAuditThread(found, { windowTokens: null })
  const audited = await thread.audit(found, { onProgress, signal })
  expect(audited).toEqual({
    sessions: [],
    problems: [{ path: found.path, line: null, reason: 'it takes more memory than there is' }],
  })
  expect(thread.hasEnded()).toBe(true)
  await thread.close()
})

test('22 a session that takes too long is given up and told', async () => {
  const found = await makeSession(toJsonl(createPiLines()))
  const thread = createAuditThread(found, { windowTokens: null })
  const audited = await thread.audit(found, { onProgress, signal, limitMs: 1 })
  expect(audited.problems).toEqual([{ path: found.path, line: null, reason: 'it takes longer than 1 s' }])
  expect(thread.hasEnded()).toBe(true)
  await thread.close()
})
