/** Lines as agents write them, for tests: short, and by nobody who lives. */
type Fields = Readonly<Record<string, unknown>>

export function toJsonl(lines: readonly Fields[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const at = (second: number): string => new Date(Date.UTC(2026, 4, 1, 9, 0, second)).toISOString()

/**
 * A session of Claude Code with one automatic compaction: its summary has the port and not the tenant code, both are used
 * again, and a file is read again.
 */
export function createClaudeCodeLines(sessionId = 'c0ffee00-0000-4000-8000-000000000001'): readonly Fields[] {
  const base = { sessionId, isSidechain: false, version: '2.1.326', cwd: '/home/ada/shop' }
  const user = (
    uuid: string,
    parentUuid: string | null,
    second: number,
    content: unknown,
    more: Fields = {},
  ): Fields => ({
    ...base,
    type: 'user',
    uuid,
    parentUuid,
    timestamp: at(second),
    message: { role: 'user', content },
    ...more,
  })
  const assistant = (uuid: string, parentUuid: string, second: number, content: readonly Fields[]): Fields => ({
    ...base,
    type: 'assistant',
    uuid,
    parentUuid,
    timestamp: at(second),
    message: {
      id: `msg_${uuid}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content,
      stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
      usage: {
        input_tokens: 200,
        cache_read_input_tokens: 60_000,
        cache_creation_input_tokens: 800,
        output_tokens: 40,
      },
    },
  })
  const read = (id: string): Fields => ({
    type: 'tool_use',
    id,
    name: 'Read',
    input: { file_path: '/home/ada/shop/src/checkout.ts' },
  })
  const file = (id: string): readonly Fields[] => [
    {
      type: 'tool_result',
      tool_use_id: id,
      content: `export const GATEWAY = 'pay.example'\n${'// a line of the checkout\n'.repeat(80)}`,
    },
  ]
  return [
    user('u1', null, 1, 'The tenant code is TNT-4471-KX. The port of the gateway is 8443. Read the checkout.'),
    assistant('a1', 'u1', 2, [read('t1')]),
    user('r1', 'a1', 3, file('t1'), { toolUseResult: { file: { content: 'the same once more' } } }),
    assistant('a2', 'r1', 4, [{ type: 'text', text: 'I have read the checkout.' }]),
    {
      ...base,
      type: 'system',
      subtype: 'compact_boundary',
      uuid: 'b1',
      parentUuid: null,
      logicalParentUuid: 'a2',
      timestamp: at(5),
      content: 'Conversation compacted',
      compactMetadata: { trigger: 'auto', preTokens: 167_000, postTokens: 9_000 },
    },
    user(
      's1',
      'b1',
      6,
      'This session is being continued from a previous conversation.\nThe checkout is /home/ada/shop/src/checkout.ts. The port of the gateway is 8443.',
      { isCompactSummary: true },
    ),
    user('u2', 's1', 8, 'Open the port 8443 for TNT-4471-KX and go on.'),
    assistant('a3', 'u2', 9, [read('t2')]),
    user('r2', 'a3', 10, file('t2')),
    assistant('a4', 'r2', 11, [{ type: 'text', text: 'Port 8443 is open for TNT-4471-KX.' }]),
  ]
}

/** A rollout of Codex with one compaction, as version 0.100 and later write it. */
export function createCodexLines(id = '0199-codex'): readonly Fields[] {
  const line = (second: number, type: string, payload: Fields): Fields => ({ timestamp: at(second), type, payload })
  const item = (second: number, payload: Fields): Fields => line(second, 'response_item', payload)
  const said = (second: number, role: string, text: string): Fields =>
    item(second, { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] })
  const tokens = (second: number, last: number, total: number): Fields =>
    line(second, 'event_msg', {
      type: 'token_count',
      info: {
        last_token_usage: { input_tokens: last, cached_input_tokens: 100, output_tokens: 10, total_tokens: last + 10 },
        total_token_usage: { total_tokens: total },
        model_context_window: 258_400,
      },
    })
  const history = [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Deploy to the region eu-west-9.' }] },
    {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'A long message …2000 tokens truncated… and its end.' }],
    },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Summary: the region is known.' }] },
  ]
  return [
    line(0, 'session_meta', {
      id,
      timestamp: at(0),
      cwd: '/home/ada',
      model_provider: 'openai',
      cli_version: '0.120.0',
    }),
    line(1, 'turn_context', { model: 'gpt-5.4', cwd: '/home/ada' }),
    said(1, 'user', '<environment_context>\n  <cwd>/home/ada</cwd>\n</environment_context>'),
    said(2, 'user', 'Deploy to the region eu-west-9.'),
    item(3, { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look first.' }], encrypted_content: 'gAAA' }),
    item(3, { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_1' }),
    tokens(3, 5_000, 5_010),
    item(4, { type: 'function_call_output', call_id: 'call_1', output: 'deploy.sh' }),
    said(5, 'assistant', 'There is a script.'),
    tokens(5, 6_000, 11_020),
    tokens(5, 6_000, 11_020),
    line(6, 'compacted', { message: 'Summary: the region is known.', replacement_history: history }),
    said(7, 'user', 'Go on.'),
    said(8, 'assistant', 'Done.'),
    tokens(8, 3_000, 14_030),
  ]
}

/** A chat of Gemini CLI with one compression, a rewind and a masked result. */
export function createGeminiLines(sessionId = 'gemini-1'): readonly Fields[] {
  const user = (id: string, text: string): Fields => ({ id, timestamp: at(1), type: 'user', content: [{ text }] })
  const gemini = (id: string, content: unknown, more: Fields = {}): Fields => ({
    id,
    timestamp: at(2),
    type: 'gemini',
    content,
    model: 'gemini-2.5-pro',
    tokens: { input: 9_000, output: 20, cached: 4_000, thoughts: 5, total: 9_025 },
    ...more,
  })
  const result = [{ functionResponse: { id: 'call-1', name: 'read_file', response: { output: 'the whole file' } } }]
  const toolCalls = [{ id: 'call-1', name: 'read_file', args: { path: 'a.ts' }, result, status: 'success' }]
  const masked = [{ functionCall: { id: 'call-1', name: 'read_file' } }]
  return [
    { sessionId, projectHash: 'f00', startTime: at(0), kind: 'main' },
    user('u1', 'Read a.ts.'),
    gemini('g1', '', { toolCalls: [{ ...toolCalls[0], result: null, status: 'executing' }] }),
    gemini('g1', '', { toolCalls }),
    user('u2', 'A thought that I take back.'),
    { $rewindTo: 'u2' },
    user('u3', 'The host is build.example.'),
    gemini('g3', 'Noted.'),
    {
      $set: {
        messages: [
          user('s1', '<state_snapshot>a.ts was read</state_snapshot>'),
          gemini('s2', [{ text: 'Got it. Thanks for the additional context!' }]),
          user('n3', 'The host is build.example.'),
          gemini('m3', [{ text: 'Noted.' }]),
        ],
      },
    },
    user('u4', 'Go on.'),
    {
      $set: {
        messages: [
          user('s1', '<state_snapshot>a.ts was read</state_snapshot>'),
          gemini('g1', masked),
          user('u4', 'Go on.'),
        ],
      },
    },
    gemini('g4', 'I go on.'),
  ]
}

/** A session of pi with one compaction. */
export function createPiLines(id = 'pi-1'): readonly Fields[] {
  const usage = { input: 100, output: 20, cacheRead: 3_000, cacheWrite: 0, cost: { total: 0 } }
  const message = (own: string, parentId: string | null, body: Fields): Fields => ({
    type: 'message',
    id: own,
    parentId,
    timestamp: at(1),
    message: body,
  })
  const assistant = (text: string): Fields => ({
    role: 'assistant',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    usage,
    content: [{ type: 'text', text }],
  })
  return [
    { type: 'session', version: 3, id, timestamp: at(0), cwd: '/home/ada' },
    message('p1', null, { role: 'user', content: 'The bucket is ada-backups.' }),
    message('p2', 'p1', assistant('I see.')),
    {
      type: 'compaction',
      id: 'p3',
      parentId: 'p2',
      timestamp: at(2),
      summary: 'Nothing yet.',
      firstKeptEntryId: 'p2',
      tokensBefore: 3_120,
    },
    message('p4', 'p3', { role: 'user', content: 'Copy to ada-backups.' }),
    message('p5', 'p4', assistant('Copied.')),
  ]
}
