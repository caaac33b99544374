import { isRecord } from '@longhaul/engine/advanced'
import { agentFolders } from '../../../packages/audit/src/find/agent-folders.ts'
import { splitSideChains } from '../../../packages/audit/src/read/claude-code-side-chains.ts'
import { createRollout } from '../../../packages/audit/src/read/codex/create-rollout.ts'
import { findKept, takeSummary } from '../../../packages/audit/src/read/codex/find-kept.ts'
import { readCodexItem } from '../../../packages/audit/src/read/codex/read-codex-item.ts'
import { textOfSaid } from '../../../packages/audit/src/read/codex/said.ts'
import type { SaidMessage } from '../../../packages/audit/src/read/codex/said.ts'
import { createTokenMeter } from '../../../packages/audit/src/read/codex/token-meter.ts'
import { createChatLog } from '../../../packages/audit/src/read/gemini/create-chat-log.ts'
import {
  readCallIds,
  readGeminiMessage,
  readGeminiText,
  readGeminiUsage,
  withoutSurroundings,
} from '../../../packages/audit/src/read/gemini/read-gemini-message.ts'
import {
  readOpencodeAnswer,
  readOpencodeText,
  readOpencodeUser,
} from '../../../packages/audit/src/read/opencode/read-opencode-parts.ts'
import { withPutBack } from '../../../packages/audit/src/read/put-back.ts'
import { readClaudeCodeSessions } from '../../../packages/audit/src/read/read-claude-code-session.ts'
import { readCodexSession } from '../../../packages/audit/src/read/read-codex-session.ts'
import { isGeminiLine, readGeminiSession } from '../../../packages/audit/src/read/read-gemini-session.ts'
import { readOpencodeSession } from '../../../packages/audit/src/read/read-opencode-session.ts'
import { readPiSession } from '../../../packages/audit/src/read/read-pi-session.ts'
import { parseJson, parseLines } from '../../../packages/store/src/jsonl/parse-lines.ts'
import type { Fields, LineGroup } from '../../../packages/store/src/jsonl/parse-lines.ts'
import type { ReaderTable } from './materials.ts'

/** The functions of the audit that read session files of agents; the tests feed them hostile text. */
export const AUDIT_READ: ReaderTable = {
  'audit/src/find/agent-folders.ts': {
    agentFolders: (text) =>
      agentFolders({ home: '/home/ada', env: { CODEX_HOME: text } }).map(({ isSession }) => isSession(text)),
  },
  'audit/src/read/claude-code-side-chains.ts': {
    splitSideChains: (text) =>
      splitSideChains(group([...CLAUDE_CODE_LINES(text), { isSidechain: true, agentId: text }])),
  },
  'audit/src/read/read-claude-code-session.ts': {
    readClaudeCodeSessions: (text) => each(text, readClaudeCodeSessions),
  },
  'audit/src/read/read-codex-session.ts': { readCodexSession: (text) => each(text, readCodexSession) },
  'audit/src/read/read-gemini-session.ts': {
    readGeminiSession: (text) => each(text, (lines) => readGeminiSession(lines, text)),
    isGeminiLine: (text) => isGeminiLine({ $rewindTo: text, sessionId: text }),
  },
  'audit/src/read/read-pi-session.ts': { readPiSession: (text) => each(text, readPiSession) },
  'audit/src/read/read-opencode-session.ts': {
    readOpencodeSession: (text) => {
      const parts = opencodeParts(text)
      const info = { id: text, role: 'assistant', summary: true, providerID: text, modelID: text }
      const messages = [info, { ...info, summary: false }, { id: text, role: 'user' }].map((message) => ({
        info: message,
        parts,
      }))
      return readOpencodeSession({ info: { id: text, title: text }, messages, skipped: [] })
    },
  },
  'audit/src/read/put-back.ts': {
    withPutBack: (text) => {
      const { imported } = readPiSession(group(PI_LINES(text)))
      return imported.entries.map((entry) => (entry.type === 'compaction' ? withPutBack(entry, [text, text]) : entry))
    },
  },
  'audit/src/read/codex/create-rollout.ts': {
    createRollout: (text) => {
      const rollout = createRollout()
      for (const line of group(CODEX_LINES(text)).lines) rollout.read(line)
      return rollout.said
    },
  },
  'audit/src/read/codex/read-codex-item.ts': {
    readCodexItem: (text) => codexItems(text).map((item) => readCodexItem(item, new Map())),
  },
  'audit/src/read/codex/find-kept.ts': {
    findKept: (text) => findKept({ replacement_history: codexItems(text) }, [saidMessage(text)], text),
    takeSummary: (text) => takeSummary([saidMessage(text)], text),
  },
  'audit/src/read/codex/said.ts': { textOfSaid: (text) => textOfSaid(saidMessage(text)) },
  'audit/src/read/codex/token-meter.ts': {
    createTokenMeter: (text) => createTokenMeter().readCounter({ last_token_usage: text, total_token_usage: text }),
  },
  'audit/src/read/gemini/create-chat-log.ts': {
    createChatLog: (text) => {
      const log = createChatLog()
      for (const line of group(GEMINI_LINES(text)).lines) log.read(line)
      return log.finish()
    },
  },
  'audit/src/read/gemini/read-gemini-message.ts': {
    readGeminiMessage: (text) => GEMINI_LINES(text).map(readGeminiMessage),
    readGeminiText: (text) => readGeminiText([{ text }, text]),
    readGeminiUsage: (text) => readGeminiUsage({ input: text }),
    readCallIds: (text) => readCallIds([{ functionCall: { id: text } }], [{ id: text }]),
    withoutSurroundings: (text) => withoutSurroundings([{ text }, text]),
  },
  'audit/src/read/opencode/read-opencode-parts.ts': {
    readOpencodeUser: (text) => readOpencodeUser(opencodeParts(text)),
    readOpencodeAnswer: (text) => readOpencodeAnswer(opencodeParts(text)),
    readOpencodeText: (text) => readOpencodeText(opencodeParts(text)),
  },
}

/** The text as a file, and in each place of a file that can hold one. */
function each(text: string, read: (lines: LineGroup) => unknown): readonly unknown[] {
  return [
    read(parseLines(text)),
    ...[CLAUDE_CODE_LINES, CODEX_LINES, GEMINI_LINES, PI_LINES].map((lines) => read(group(lines(text)))),
  ]
}

function group(values: readonly Fields[]): LineGroup {
  return { lines: values.map((value, index) => ({ line: index + 1, value })), skipped: [] }
}

function CLAUDE_CODE_LINES(text: string): readonly Fields[] {
  const content = [{ type: 'text', text }, { type: 'tool_result', tool_use_id: text, content: text }, text]
  return [
    { type: 'user', uuid: text, message: { role: 'user', content } },
    { type: 'assistant', uuid: 'b', message: { role: 'assistant', model: text, content } },
    { type: 'system', subtype: 'compact_boundary', uuid: 'c', compactMetadata: { trigger: text, preTokens: text } },
    { type: 'user', isCompactSummary: true, uuid: 'd', message: { role: 'user', content: text } },
    { type: 'attachment', attachment: { type: text, content: { file: { content: text } } }, rendered: [text] },
  ]
}

function CODEX_LINES(text: string): readonly Fields[] {
  const payload = { type: 'item_completed', item: { type: 'CommandExecution', command: ['sh', '-lc', text] } }
  return [
    { type: 'session_meta', payload: { id: text, instructions: text, model_provider: text } },
    { type: 'turn_context', payload: { model: text } },
    ...codexItems(text).map((item) => ({ type: 'response_item', timestamp: text, payload: item })),
    { type: 'event_msg', payload },
    { type: 'compacted', payload: { message: text, replacement_history: codexItems(text) } },
    { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
  ]
}

function codexItems(text: string): readonly Fields[] {
  const content = [{ type: 'input_text', text }, text]
  return [
    { type: 'message', role: 'user', id: text, content },
    { type: 'message', role: 'assistant', content },
    { type: 'reasoning', summary: [{ text }] },
    { type: 'function_call', name: text, call_id: text, arguments: text },
    { type: 'custom_tool_call', name: text, call_id: text, input: text },
    { type: 'function_call_output', call_id: text, output: text },
    { type: 'function_call_output', call_id: text, output: `{"output":${text}` },
  ]
}

function GEMINI_LINES(text: string): readonly Fields[] {
  const result = [{ functionResponse: { response: { output: text } } }]
  const toolCalls = [{ id: text, name: text, args: { path: text }, result }]
  const spoken = [
    { id: 'a', type: 'user', content: [{ text }, text] },
    { id: text, type: 'gemini', content: text, toolCalls, thoughts: [{ subject: text }], model: text },
  ]
  const summary = { id: 's', type: 'user', content: `<state_snapshot>${text}` }
  return [
    { sessionId: text, projectHash: text },
    ...spoken,
    { $set: { messages: [summary, ...spoken] } },
    { $rewindTo: text },
  ]
}

function PI_LINES(text: string): readonly Fields[] {
  return [
    { type: 'session', version: 3, id: text },
    { type: 'message', id: 'a', message: { role: 'user', content: text } },
    { type: 'message', id: 'b', parentId: 'a', message: { role: 'assistant', content: [{ type: 'text', text }] } },
    { type: 'compaction', id: 'c', parentId: 'b', summary: text, firstKeptEntryId: text, reason: text },
  ]
}

function opencodeParts(text: string): readonly Fields[] {
  const state = { status: 'completed', input: { command: text }, output: text }
  const read = parseJson(text)
  return [
    { type: 'text', text },
    { type: 'file', filename: text },
    { type: 'tool', callID: text, tool: text, state },
    { type: 'compaction', tail_start_id: text },
    ...(isRecord(read) ? [read] : []),
  ]
}

function saidMessage(text: string): SaidMessage {
  const parts = [{ type: 'text' as const, text }]
  return { type: 'message', by: 'assistant', line: 1, at: 0, id: text, parts, itemIds: new Set([text]) }
}
