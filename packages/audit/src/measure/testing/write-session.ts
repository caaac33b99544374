import { readTranscripts } from '@longhaul/store/jsonl'
import type { AgentSession, RecordedCompaction } from '../../find/agent-session.ts'

type Line = Readonly<Record<string, unknown>>

/** Writes a session as Claude Code does, line by line. */
export interface SessionWriter {
  says(text: string): SessionWriter
  answers(text: string): SessionWriter
  /** A call with its result. */
  calls(name: string, input: Line, output: string): SessionWriter
  compacts(summary: string, tokensBefore: number): SessionWriter
  session(): AgentSession
}

const MODEL = 'claude-opus-4-5-20251101'
const USAGE = { input_tokens: 200, cache_creation_input_tokens: 800, cache_read_input_tokens: 9_000, output_tokens: 60 }

export function writeSession(): SessionWriter {
  const lines: Line[] = []
  const recorded = new Map<string, RecordedCompaction>()
  const add = (line: Line): void => {
    const number = lines.length + 1
    const timestamp = new Date(Date.UTC(2026, 4, 4, 9, 0, number * 20)).toISOString()
    const parentUuid = number === 1 ? null : `line-${number - 1}`
    lines.push({ uuid: `line-${number}`, parentUuid, sessionId: 'written', isSidechain: false, timestamp, ...line })
  }
  const addAnswer = (block: Line): void => {
    const message = { id: `answer-${lines.length}`, role: 'assistant', model: MODEL, content: [block], usage: USAGE }
    add({ type: 'assistant', message })
  }
  const writer: SessionWriter = {
    says(text) {
      add({ type: 'user', message: { role: 'user', content: text } })
      return writer
    },
    answers(text) {
      addAnswer({ type: 'text', text })
      return writer
    },
    calls(name, input, output) {
      const id = `call-${lines.length}`
      addAnswer({ type: 'tool_use', id, name, input })
      const content = [{ type: 'tool_result', tool_use_id: id, content: output }]
      add({ type: 'user', message: { role: 'user', content } })
      return writer
    },
    compacts(summary, tokensBefore) {
      recorded.set(`line-${lines.length + 1}`, { trigger: 'auto', tokensBefore, tokensAfter: null })
      const compactMetadata = { trigger: 'auto', preTokens: tokensBefore }
      add({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata })
      add({ type: 'user', isCompactSummary: true, message: { role: 'user', content: summary } })
      return writer
    },
    session() {
      const [imported] = readTranscripts(lines.map((line) => JSON.stringify(line)).join('\n'))
      if (imported === undefined) throw new Error('The written lines hold no session.')
      const found = { agent: 'claude-code', path: 'written.jsonl', bytes: 0, changedAt: 0 } as const
      return { ...found, imported, parentId: null, windowTokens: null, recorded }
    },
  }
  return writer
}
