import { pick, pickBetween } from './random.ts'
import type { Random } from './random.ts'

export type TextKind = 'prose' | 'code' | 'log' | 'json'

const LINES: Readonly<Record<TextKind, readonly string[]>> = {
  prose: [
    'The importer reads each line once and keeps the offset of the last good one.',
    'I looked at the failing case: the second page repeats the cursor of the first.',
    'Please keep the old names in the public interface until the next release.',
    'Two of the three callers already pass the limit, so the default is only for tests.',
    'The retry waits twice as long each time and gives up after about a minute.',
    'That explains the numbers from last week: the cache was cold after every deploy.',
    'Next I will move the check in front of the write and run the suite again.',
    'It should also work without a network, as long as the index has been built before.',
  ],
  code: [
    'export function readCursor(page: Page): Cursor | null {',
    '  const rows = await store.query({ table, limit: pageSize, after: cursor })',
    '  if (row === undefined || row.deletedAt !== null) continue',
    '  return { ...state, offset: state.offset + chunk.length, isDone: chunk.length === 0 }',
    '}',
    '    for (const [key, value] of Object.entries(headers)) request.setHeader(key, value)',
    "  throw new ImportError('bad-cursor', { cause: error })",
    'const byId = new Map(rows.map((row) => [row.id, row]))',
  ],
  log: [
    '-rw-r--r-- 1 app app  18342 Mar 14 09:26 importer.ts',
    '2026-03-14T09:26:53.589Z INFO  worker-3 page=117 rows=500 took=83ms',
    '2026-03-14T09:26:54.022Z WARN  worker-1 retry=2 status=503 wait=4000ms',
    ' ✓ src/importer/read-cursor.test.ts (14 tests) 212ms',
    ' ✗ src/importer/resume.test.ts > resumes after a dropped page',
    'src/importer/resume.ts(88,17): error TS2345: Argument of type string is not assignable',
    'diff --git a/src/importer/resume.ts b/src/importer/resume.ts',
    '@@ -81,7 +81,9 @@ export async function resume(options: ResumeOptions)',
  ],
  json: [
    '{"id":"ord_8f2e11","status":"paid","total":{"amount":12990,"currency":"EUR"},"items":3},',
    '{"cursor":"eyJvZmZzZXQiOjUwMH0=","hasMore":true,"count":500},',
    '{"path":"src/importer/resume.ts","line":88,"severity":"error","rule":"no-floating-promises"},',
    '{"name":"worker-3","cpu":0.71,"memoryMb":412,"queue":[17,18,21],"since":"2026-03-14T09:00:00Z"},',
  ],
}

/** Text of one kind, at least that long. No two texts are the same, and none shares memory with another. */
export function createText(random: Random, kind: TextKind, chars: number): string {
  const lines: string[] = []
  let length = 0
  while (length < chars) {
    const line = pick(random, LINES[kind])
    lines.push(line)
    length += line.length + 1
  }
  lines.push(`#${pickBetween(random, 0, 1_000_000)}`)
  return lines.join(kind === 'prose' ? ' ' : '\n')
}
