import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import {
  createClaudeCodeLines,
  createCodexLines,
  createGeminiLines,
  createPiLines,
  toJsonl,
} from '../testing/session-files.ts'
import { findSessions } from './find-sessions.ts'

const CLAUDE = toJsonl(createClaudeCodeLines())
const CODEX = toJsonl(createCodexLines())
const GEMINI = toJsonl(createGeminiLines())
const PI = toJsonl(createPiLines())

async function makeHome(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'longhaul-find-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  return home
}

const below = (home: string, found: Awaited<ReturnType<typeof findSessions>>): readonly string[] =>
  found.sessions.map(({ agent, path }) => `${agent} ${path.slice(home.length + 1)}`)

test('22 each agent is looked for where it keeps its sessions, and nothing else there is taken for one', async () => {
  const home = await makeHome({
    '.claude/projects/-home-ada/one.jsonl': CLAUDE,
    '.claude/projects/-home-ada/one/subagents/agent-1.jsonl': CLAUDE,
    '.claude/projects/-home-ada/memory/MEMORY.md': 'no session',
    '.claude/history.jsonl': CLAUDE,
    '.codex/sessions/2026/05/01/rollout-2026-05-01.jsonl': CODEX,
    '.codex/archived_sessions/rollout-2026-04-01.jsonl.zst': zstdCompressSync(CODEX),
    '.codex/history.jsonl': CODEX,
    '.openclaw/agents/main/sessions/a.jsonl': PI,
    '.openclaw/agents/main/sessions/sessions.json': '{}',
    '.pi/agent/sessions/--home--/b.jsonl': PI,
    '.gemini/tmp/f00/chats/session-1.jsonl': GEMINI,
    '.gemini/tmp/f00/chats/gemini-1/sub.jsonl': GEMINI,
    '.gemini/tmp/f00/logs.json': '[]',
    '.local/share/opencode/storage/session/p/ses_1.json': '{"id":"ses_1"}',
    '.local/share/opencode/storage/message/ses_1/msg_1.json': '{}',
  })
  const found = await findSessions({ home, env: {}, paths: [] })
  expect(found.problems).toEqual([])
  expect(below(home, found)).toEqual([
    'claude-code .claude/projects/-home-ada/one/subagents/agent-1.jsonl',
    'claude-code .claude/projects/-home-ada/one.jsonl',
    'codex .codex/sessions/2026/05/01/rollout-2026-05-01.jsonl',
    'codex .codex/archived_sessions/rollout-2026-04-01.jsonl.zst',
    'openclaw .openclaw/agents/main/sessions/a.jsonl',
    'pi .pi/agent/sessions/--home--/b.jsonl',
    'gemini-cli .gemini/tmp/f00/chats/gemini-1/sub.jsonl',
    'gemini-cli .gemini/tmp/f00/chats/session-1.jsonl',
    'opencode .local/share/opencode/storage/session/p/ses_1.json',
  ])
})

test('22 the agents’ own variables move their folders', async () => {
  const home = await makeHome({
    'claude/projects/p/one.jsonl': CLAUDE,
    'codex/sessions/rollout-1.jsonl': CODEX,
    'claw/agents/main/sessions/a.jsonl': PI,
    'pi/sessions/b.jsonl': PI,
    'gem/.gemini/tmp/f/chats/session-1.json': GEMINI,
    '.claude/projects/p/not-here.jsonl': CLAUDE,
  })
  const env = {
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    CODEX_HOME: '~/codex',
    OPENCLAW_STATE_DIR: join(home, 'claw'),
    PI_CODING_AGENT_DIR: join(home, 'pi'),
    GEMINI_CLI_HOME: join(home, 'gem'),
  }
  expect(below(home, await findSessions({ home, env, paths: [] }))).toEqual([
    'claude-code claude/projects/p/one.jsonl',
    'codex codex/sessions/rollout-1.jsonl',
    'openclaw claw/agents/main/sessions/a.jsonl',
    'pi pi/sessions/b.jsonl',
    'gemini-cli gem/.gemini/tmp/f/chats/session-1.json',
  ])
})

test('22 a path that is named is told by its content', async () => {
  const home = await makeHome({
    'all/a.jsonl': CLAUDE,
    'all/b.jsonl': CODEX,
    'all/c.jsonl': GEMINI,
    'all/d.jsonl': PI,
    'all/e.jsonl': PI.replace('"role":"user"', '"__openclaw":{},"role":"user"'),
    'all/f.jsonl': '{"messages":[{"role":"user","content":"hi"}]}\n',
    'all/g.jsonl.zst': zstdCompressSync(CODEX),
    'all/package.json': '{ "name": "no session" }',
    'all/notes.txt': CLAUDE,
    'foreign.jsonl': '{"a":1}\n',
    'words.txt': 'not JSON',
  })
  const paths = ['all', 'foreign.jsonl', 'words.txt', 'gone'].map((name) => join(home, name))
  const found = await findSessions({ home, env: {}, paths })
  expect(below(home, found)).toEqual([
    'claude-code all/a.jsonl',
    'codex all/b.jsonl',
    'gemini-cli all/c.jsonl',
    'pi all/d.jsonl',
    'openclaw all/e.jsonl',
    'other all/f.jsonl',
    'codex all/g.jsonl.zst',
  ])
  expect(found.problems).toEqual([
    { path: join(home, 'foreign.jsonl'), line: null, reason: 'in no format that is known' },
    { path: join(home, 'words.txt'), line: null, reason: 'in no format that is known' },
    { path: join(home, 'gone'), line: null, reason: 'there is no such file or folder' },
  ])
})

test('22 links are not followed out of a folder, and old sessions are left out where they are not asked for', async () => {
  const home = await makeHome({
    '.claude/projects/p/new.jsonl': CLAUDE,
    '.claude/projects/p/old.jsonl': CLAUDE,
    'elsewhere/secret.jsonl': CLAUDE,
  })
  await symlink(join(home, 'elsewhere'), join(home, '.claude/projects/p/link'))
  await symlink(join(home, 'elsewhere/secret.jsonl'), join(home, '.claude/projects/p/link.jsonl'))
  await utimes(join(home, '.claude/projects/p/old.jsonl'), new Date(1_000), new Date(1_000))
  const found = await findSessions({ home, env: {}, paths: [], since: Date.now() - 60_000 })
  expect(below(home, found)).toEqual(['claude-code .claude/projects/p/new.jsonl'])
})

test('22 a database that is none is told, and the rest is found', async () => {
  const home = await makeHome({
    '.local/share/opencode/opencode.db': 'SQLite format 3\0 but nothing more',
    '.pi/agent/sessions/b.jsonl': PI,
  })
  const found = await findSessions({ home, env: {}, paths: [] })
  expect(below(home, found)).toEqual(['pi .pi/agent/sessions/b.jsonl'])
  expect(found.problems).toMatchObject([{ path: join(home, '.local/share/opencode/opencode.db'), line: null }])
})
