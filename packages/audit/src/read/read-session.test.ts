import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { findSessions } from '../find/find-sessions.ts'
import { readTextOf, tell } from '../testing/read-text-of.ts'
import {
  createClaudeCodeLines,
  createCodexLines,
  createGeminiLines,
  createPiLines,
  toJsonl,
} from '../testing/session-files.ts'
import { readSession } from './read-session.ts'

test('22 Claude Code: the figures of a compaction, and files that it read again by itself', async () => {
  const lines = createClaudeCodeLines()
  const restored = {
    type: 'attachment',
    uuid: 'x1',
    parentUuid: 's1',
    attachment: { type: 'file', filename: 'a.ts', content: { type: 'text', file: { content: 'const a = 1' } } },
  }
  const told = {
    type: 'attachment',
    uuid: 'x2',
    attachment: { type: 'date' },
    rendered: [{ content: 'Today is Monday' }],
  }
  const { sessions, problems } = await readTextOf(
    'claude-code',
    toJsonl([...lines.slice(0, 6), restored, told, ...lines.slice(6)]),
  )
  expect(problems).toEqual([])
  const [session] = sessions
  expect(session).toMatchObject({ parentId: null, windowTokens: null })
  expect([...(session?.recorded ?? [])]).toEqual([
    ['b1', { trigger: 'auto', tokensBefore: 167_000, tokensAfter: 9_000 }],
  ])
  const compaction = session?.imported.entries[4]
  expect(compaction).toMatchObject({ type: 'compaction', firstKept: null })
  expect(tell(sessions[0]!)[4]).toMatch(/^compaction: This session is .* 8443\. \+ const a = 1$/s)
})

test('22 Claude Code: a sub-agent’s work is a session apart, in a file of its own or between the lines of another', async () => {
  const lines = createClaudeCodeLines('parent')
  const side = (line: object) => ({ ...line, isSidechain: true, agentId: 'abc' })
  const own = await readTextOf('claude-code', toJsonl(lines.map(side)))
  expect(own.sessions.map(({ parentId, imported }) => [parentId, imported.session.id])).toEqual([
    ['parent', 'agent-abc'],
  ])
  const older = lines.slice(0, 4).map((line) => ({
    ...line,
    isSidechain: true,
    uuid: `s-${String(line['uuid'])}`,
    parentUuid: line['parentUuid'] === null ? null : `s-${String(line['parentUuid'])}`,
  }))
  const mixed = await readTextOf('claude-code', toJsonl([...lines.slice(0, 2), ...older, ...lines.slice(2)]))
  expect(mixed.problems).toEqual([])
  expect(
    mixed.sessions.map(({ parentId, imported }) => [parentId, imported.session.id, imported.entries.length]),
  ).toEqual([
    [null, 'parent', 9],
    ['parent', 'agent-s-u1', 4],
  ])
})

test('22 Codex: what it kept word for word, what it kept in part, and the figures that it wrote down', async () => {
  const { sessions, problems } = await readTextOf('codex', toJsonl(createCodexLines()))
  expect(problems).toEqual([])
  expect(sessions.map(tell)).toEqual([
    [
      'user: Deploy to the region eu-west-9.',
      'assistant: Look first. + shell({"command":["ls"]})',
      'tool: = "deploy.sh"',
      'assistant: There is a script.',
      'compaction: Summary: the region is known. + A long message …2000 tokens truncated… and its end., with 1',
      'user: Go on.',
      'assistant: Done.',
    ],
  ])
  const [session] = sessions
  expect(session).toMatchObject({
    windowTokens: 258_400,
    imported: { session: { id: '0199-codex', model: 'openai/gpt-5.4' } },
  })
  expect(session?.imported.entries[1]).toMatchObject({ usage: { input: 5_000, output: 10, cacheRead: 100 } })
  expect(session?.imported.entries[3]).toMatchObject({ usage: { input: 6_000 } })
  expect([...(session?.recorded.values() ?? [])]).toEqual([{ trigger: null, tokensBefore: 6_010, tokensAfter: null }])
})

test('22 Codex: a script that only runs a command is that command, and any other stays whole', async () => {
  const line = (type: string, payload: object): object => ({ timestamp: '2026-05-01T09:00:00Z', type, payload })
  const call = (id: string, input: string): object =>
    line('response_item', { type: 'custom_tool_call', call_id: id, name: 'exec', input })
  const ran = (command: string): object =>
    line('event_msg', { type: 'item_completed', item: { type: 'CommandExecution', command: ['sh', '-lc', command] } })
  const result = (id: string): object =>
    line('response_item', {
      type: 'custom_tool_call_output',
      call_id: id,
      output: [{ type: 'input_text', text: 'ok' }],
    })
  const long = `await tools.exec_command({ cmd: "ls" }) // ${'why '.repeat(60)}`
  const lines = [
    line('session_meta', { id: 'c' }),
    call('1', 'text((await tools.exec_command({ cmd: "cat a.md" })).output)'),
    ran('cat a.md'),
    result('1'),
    call('2', long),
    ran('ls'),
    ran('pwd'),
    result('2'),
  ]
  const { sessions } = await readTextOf('codex', toJsonl(lines as Parameters<typeof toJsonl>[0]))
  expect(sessions.map(tell)).toEqual([
    [
      'assistant: exec({"command":"cat a.md"})',
      'tool: = "ok"',
      `assistant: exec(${JSON.stringify({ input: long, command: 'ls\npwd' })})`,
      'tool: = "ok"',
    ],
  ])
})

test('22 Codex: the first versions, a turn that was taken back, and a summary that nobody can read', async () => {
  const item = (role: string, text: string): object => ({
    type: 'message',
    role,
    content: [{ type: 'input_text', text }],
  })
  const wrapped = (type: string, payload: object): object => ({ timestamp: '2026-05-01T09:00:00Z', type, payload })
  const lines = [
    { id: 'first', timestamp: '2025-05-01T09:00:00Z', instructions: null },
    { record_type: 'state' },
    item('user', 'The port is 8443.'),
    item('assistant', 'Noted.'),
    wrapped('response_item', item('user', 'A mistake.')),
    wrapped('response_item', item('assistant', 'An answer to it.')),
    wrapped('event_msg', { type: 'thread_rolled_back', num_turns: 1 }),
    wrapped('compacted', { message: '', replacement_history: [{ type: 'compaction', encrypted_content: 'gAAA' }] }),
    wrapped('response_item', item('user', 'Go on.')),
  ] as const
  const { sessions, problems } = await readTextOf('codex', toJsonl(lines as unknown as Parameters<typeof toJsonl>[0]))
  expect(sessions.map(tell)).toEqual([['user: The port is 8443.', 'assistant: Noted.', 'user: Go on.']])
  expect(problems).toMatchObject([
    { line: 8, reason: 'a compaction whose summary is encrypted: nobody can tell what it kept' },
  ])
})

test('22 Gemini CLI: compressions under new ids, rewinds, and results as they were before they were masked', async () => {
  const { sessions, problems } = await readTextOf('gemini-cli', toJsonl(createGeminiLines()))
  expect(problems).toEqual([])
  expect(sessions.map(tell)).toEqual([
    [
      'user: Read a.ts.',
      'assistant: read_file({"path":"a.ts"})',
      'tool: = "the whole file"',
      'user: The host is build.example.',
      'assistant: Noted.',
      'compaction: <state_snapshot>a.ts was read</state_snapshot>, from 4',
      'user: Go on.',
      'assistant: I go on.',
    ],
  ])
  expect(sessions[0]?.imported.entries[1]).toMatchObject({
    model: 'google/gemini-2.5-pro',
    usage: { input: 9_000, output: 25, cacheRead: 4_000 },
  })
})

test('22 Gemini CLI: one document of an earlier version', async () => {
  const [meta, ...messages] = createGeminiLines().slice(0, 4)
  const { sessions } = await readTextOf('gemini-cli', JSON.stringify({ ...meta, messages }, null, 2), 'session-1.json')
  expect(sessions.map(tell)).toEqual([
    ['user: Read a.ts.', 'assistant: read_file({"path":"a.ts"})', 'tool: = "the whole file"'],
  ])
})

test('22 pi: the figures of a compaction; a price that it does not know is no price', async () => {
  const { sessions } = await readTextOf('pi', toJsonl(createPiLines()))
  expect(sessions.map(tell)).toEqual([
    [
      'user: The bucket is ada-backups.',
      'assistant: I see.',
      'compaction: Nothing yet., from 2',
      'user: Copy to ada-backups.',
      'assistant: Copied.',
    ],
  ])
  expect(sessions[0]?.imported.entries[1]).not.toHaveProperty('usage.costUsd')
  expect([...(sessions[0]?.recorded ?? [])]).toEqual([
    ['p3', { trigger: null, tokensBefore: 3_120, tokensAfter: null }],
  ])
})

test('22 pi: the first version has neither ids nor branches', async () => {
  const lines = createPiLines().map(({ id: _id, parentId: _parent, firstKeptEntryId: _kept, ...line }) => ({
    ...line,
    version: 1,
    firstKeptEntryIndex: 2,
  }))
  const { sessions } = await readTextOf('pi', toJsonl(lines))
  expect([...(sessions[0]?.recorded.values() ?? [])]).toMatchObject([{ tokensBefore: 3_120 }])
  expect(sessions[0]?.recorded.has(sessions[0].imported.entries[2]?.id ?? '')).toBe(true)
})

test('22 opencode: the files of versions before its database', async () => {
  const home = await mkdtemp(join(tmpdir(), 'longhaul-opencode-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const storage = join(home, '.local/share/opencode/storage')
  const files = {
    'session/p/ses_1.json': {
      id: 'ses_1',
      projectID: 'p',
      parentID: 'ses_0',
      title: 'A shop',
      time: { created: 1_000 },
      revert: { messageID: 'msg_9' },
    },
    'message/ses_1/msg_1.json': { id: 'msg_1', role: 'user', time: { created: 1_001 } },
    'part/msg_1/prt_1.json': { type: 'text', text: 'The port is 8443.' },
    'message/ses_1/msg_2.json': {
      id: 'msg_2',
      role: 'assistant',
      providerID: 'anthropic',
      modelID: 'claude-sonnet-4-5',
      tokens: { input: 10, output: 5, reasoning: 1, cache: { read: 900, write: 0 } },
      time: { created: 1_002 },
    },
    'part/msg_2/prt_2.json': {
      type: 'tool',
      callID: 'c1',
      tool: 'bash',
      state: { status: 'completed', input: { command: 'ls' }, output: 'a.ts' },
    },
    'part/msg_2/prt_3.json': { type: 'step-start' },
    'part/msg_2/prt_4.json': { type: 'text', text: 'There is one file.' },
    'message/ses_1/msg_3.json': { id: 'msg_3', role: 'user', time: { created: 1_003 } },
    'part/msg_3/prt_5.json': { type: 'compaction', auto: true, tail_start_id: 'msg_2' },
    'message/ses_1/msg_4.json': { id: 'msg_4', role: 'assistant', summary: true, time: { created: 1_004 } },
    'part/msg_4/prt_6.json': { type: 'text', text: 'One file.' },
    'message/ses_1/msg_9.json': { id: 'msg_9', role: 'user', time: { created: 1_009 } },
    'part/msg_9/prt_9.json': { type: 'text', text: 'Taken back.' },
  }
  for (const [path, value] of Object.entries(files)) {
    await mkdir(dirname(join(storage, path)), { recursive: true })
    await writeFile(join(storage, path), JSON.stringify(value))
  }
  await writeFile(join(storage, 'part/msg_4/prt_7.json'), '{ cut')
  const found = await findSessions({ home, env: {}, paths: [] })
  const { sessions, problems } = await readSession(found.sessions[0]!)
  expect(problems).toMatchObject([{ line: null, reason: 'prt_7.json cannot be read' }])
  expect(sessions.map(tell)).toEqual([
    [
      'user: The port is 8443.',
      'assistant: bash({"command":"ls"})',
      'tool: = "a.ts"',
      'assistant: There is one file.',
      'compaction: One file., from 2',
    ],
  ])
  expect(sessions[0]).toMatchObject({ parentId: 'ses_0', imported: { session: { title: 'A shop' } } })
  expect([...(sessions[0]?.recorded.values() ?? [])]).toEqual([
    { trigger: 'auto', tokensBefore: 916, tokensAfter: null },
  ])
})

test('22 OpenClaw: sessions in its database, with packed events and the window', async () => {
  const home = await mkdtemp(join(tmpdir(), 'longhaul-openclaw-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const folder = join(home, '.openclaw/agents/main/agent')
  await mkdir(folder, { recursive: true })
  const database = new DatabaseSync(join(folder, 'openclaw-agent.sqlite'))
  database.exec(`CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB, event_utf8_bytes INTEGER, created_at INTEGER);
    CREATE TABLE session_windows (session_id TEXT, session_key TEXT, parent_session_key TEXT);
    CREATE TABLE session_nodes (session_key TEXT, entry_json TEXT);
    INSERT INTO session_windows VALUES ('s1', 'k1', 'k0'), ('s0', 'k0', NULL);
    INSERT INTO session_nodes VALUES ('k1', '{"contextTokens":64000}');`)
  const insert = database.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?, ?)')
  for (const [seq, line] of createPiLines('s1').entries()) {
    const json = JSON.stringify(line)
    if (seq % 2 === 0) insert.run('s1', seq, json, null, null, 1_000 + seq)
    else insert.run('s1', seq, null, zstdCompressSync(json), json.length, 1_000 + seq)
  }
  insert.run('s1', 90, null, Buffer.from('no zstd'), 7, 1_090)
  database.close()
  const found = await findSessions({ home, env: {}, paths: [] })
  expect(found.sessions).toMatchObject([{ agent: 'openclaw', changedAt: 1_090 }])
  const { sessions, problems } = await readSession(found.sessions[0]!)
  expect(problems).toMatchObject([{ line: 91, reason: 'an event that cannot be read' }])
  expect(sessions).toMatchObject([{ parentId: 's0', windowTokens: 64_000, imported: { session: { id: 's1' } } }])
  expect(tell(sessions[0]!)).toHaveLength(5)
})

test('22 other transcripts, one session or several in a file', async () => {
  const chats = toJsonl([
    { id: 'a', messages: [{ role: 'user', content: 'hi' }] },
    { id: 'b', messages: [{ role: 'user', content: 'there' }] },
  ])
  const { sessions } = await readTextOf('other', chats)
  expect(sessions.map(({ imported }) => imported.session.id)).toEqual(['a', 'b'])
})

test('22 a damaged line is told with its number, and a file of nothing else is no session', async () => {
  const text = toJsonl(createClaudeCodeLines()).replace('"parentUuid":"u1"', '"parentUuid":"u1')
  const { sessions, problems } = await readTextOf('claude-code', text)
  expect(sessions).toHaveLength(1)
  expect(problems).toMatchObject([{ line: 2, reason: 'not JSON' }])
  const cut = await readTextOf('codex', '{"a":\n'.repeat(20))
  expect(cut.sessions).toEqual([])
  expect(cut.problems.at(-1)).toMatchObject({ line: null, reason: 'and 15 more lines' })
  expect(await readTextOf('other', '')).toMatchObject({
    sessions: [],
    problems: [{ reason: expect.stringContaining('empty') }],
  })
})
