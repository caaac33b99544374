import { createConversation } from './claude-code/conversation.ts'
import { findAbandoned } from './claude-code/find-abandoned.ts'
import { findAbsorbedPrompts } from './claude-code/find-absorbed-prompts.ts'
import { isMessageLine } from './claude-code/read-blocks.ts'
import type { ImportedSession, SkippedLine } from './imported-session.ts'
import { inOrder } from './parse-lines.ts'
import type { Line, LineGroup } from './parse-lines.ts'
import { optional, readString, readTime } from './read-values.ts'

/** Sessions of Claude Code: the main conversation, without the work of sub-agents and without attempts given up. */
export function readClaudeCode(group: LineGroup): ImportedSession {
  const skipped: SkippedLine[] = [...group.skipped]
  const lines = mainLines(group.lines, skipped)
  const abandoned = findAbandoned(lines)
  const absorbed = findAbsorbedPrompts(lines)
  const conversation = createConversation()
  for (const line of lines) {
    if (abandoned.has(line)) {
      if (isMessageLine(line.value)) skipped.push({ line: line.line, reason: 'on a branch that was left' })
    } else if (absorbed.has(line)) {
      conversation.queuePrompt(line, absorbed.get(line))
    } else {
      conversation.read(line)
    }
  }
  const { entries, model, unfinished } = conversation.finish()
  for (const line of unfinished) skipped.push({ line, reason: 'a compaction without its summary' })
  return {
    format: 'claude-code',
    session: {
      id: readId(lines),
      createdAt: readTime(lines.find(({ value }) => readTime(value['timestamp']) > 0)?.value['timestamp']),
      ...optional('title', readTitle(lines)),
      ...optional('model', model),
    },
    entries,
    artifacts: [],
    skipped: inOrder(skipped),
  }
}

/** A sub-agent's file is all side chain and then a conversation of its own; elsewhere side chains are left out. */
function mainLines(lines: readonly Line[], skipped: SkippedLine[]): readonly Line[] {
  const isOwnFile = !lines.some(({ value }) => isMessageLine(value) && value['isSidechain'] !== true)
  const seen = new Set<unknown>()
  return lines.filter(({ line, value }) => {
    const { uuid } = value
    if (typeof uuid === 'string' && seen.has(uuid)) return false
    seen.add(uuid)
    if (isOwnFile || value['isSidechain'] !== true) return true
    if (isMessageLine(value)) skipped.push({ line, reason: 'a side chain, the work of a sub-agent' })
    return false
  })
}

/** Resumed files may begin with lines of the session before; a sub-agent's carry the name of the session that sent it. */
function readId(lines: readonly Line[]): string {
  const last = lines.findLast(({ value }) => readString(value['sessionId']) !== undefined)?.value
  const agent = last?.['isSidechain'] === true ? readString(last['agentId']) : undefined
  return agent === undefined ? (readString(last?.['sessionId']) ?? 'session-1') : `agent-${agent}`
}

/** What the user called it, before what the program did. */
function readTitle(lines: readonly Line[]): string | undefined {
  const last = (type: string, key: string) =>
    readString(
      lines.findLast(({ value }) => value['type'] === type && readString(value[key]) !== undefined)?.value[key],
    )
  return last('custom-title', 'customTitle') ?? last('ai-title', 'aiTitle') ?? last('summary', 'summary')
}
