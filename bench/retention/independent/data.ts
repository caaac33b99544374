import { estimateMessage } from '@longhaul/engine/advanced'
import { joinConversations, readConversation } from '../conversation.ts'
import type { Conversation } from '../conversation.ts'
import { loadDataSets } from '../../data-sets.ts'
import type { RealSession } from '../../data-sets.ts'
import { findReferences } from './find-references.ts'
import type { Reference, SpokenMessage } from './find-references.ts'
import { textOf } from './message-text.ts'

/** Conversations of one kind; their figures stand in one row. */
export interface Kind {
  /** As `--kind` has it. */
  readonly name: string
  /** Kinds of one group are also added up. */
  readonly group: string
  readonly files: readonly string[]
  /** The words of a user's message that the user wrote, where programs write in the user's role too. */
  readonly userWords?: (text: string, index: number) => string | null
}

const AIDER_OUTPUT = /\[aider output\][\s\S]*?(?:\n\n|$)/g

export const KINDS: readonly Kind[] = [
  { name: 'pi', group: 'with tool calls', files: ['pi/before-compaction.jsonl'] },
  {
    name: 'claude-code',
    group: 'with tool calls',
    files: ['258c7280', '4d5611e5', 'short', 'subagent', 'tool_heavy'].map((name) => `claude-code/${name}.jsonl`),
  },
  {
    name: 'agents',
    group: 'with tool calls',
    files: ['openhands/ponyc-4588.jsonl', 'swe-agent/tool-calls.jsonl'],
  },
  { name: 'tau-bench', group: 'with tool calls', files: ['tau-bench/airline-50.jsonl'] },
  {
    name: 'swe-text',
    group: 'agents in text',
    files: ['swe-agent/text.jsonl'],
    userWords: (text, index) => (index === 0 ? text : null),
  },
  {
    name: 'aider',
    group: 'pair programming',
    files: ['aider/aider-0-1.jsonl'],
    userWords: (text) => text.replaceAll(AIDER_OUTPUT, ''),
  },
  { name: 'kdconv', group: 'knowledge chats', files: ['kdconv-zh/60.jsonl'] },
  {
    name: 'memorybank',
    group: 'companion chats',
    files: ['memorybank/en.jsonl', 'memorybank/zh.jsonl'],
  },
  {
    name: 'locomo',
    group: 'for evaluation only',
    files: [26, 30, 41, 42, 43].map((number) => `locomo/conv-${number}.jsonl`),
  },
]

/** A conversation to replay, with what is referred back to in it. */
export interface MeasuredConversation extends Conversation {
  readonly references: ReadonlyMap<number, readonly Reference[]>
}

/** Shorter conversations are joined: no window that is measured would be filled by them. */
const SHORT_TOKENS = 40_000

/** Conversations of a kind. Short ones are joined one after the other, in the order of the files, those of one language apart. */
export function loadKind(kind: Kind, note: (line: string) => void): readonly MeasuredConversation[] {
  const sessions = loadDataSets(kind.files, note)
  const isLong = (session: RealSession): boolean => readConversation(session).tokens >= SHORT_TOKENS
  const [long, short] = [sessions.filter(isLong), sessions.filter((session) => !isLong(session))]
  const languages = Map.groupBy(short, (session) => (session.file.endsWith('zh.jsonl') ? 'zh' : ''))
  const joined = [...languages.values()].flatMap((group) => {
    const conversation = joinConversations(`${kind.name}, joined`, group)
    const starts = group.map(({ entries }) => entries.filter(({ type }) => type === 'message').length)
    return conversation === null ? [] : [addReferences(conversation, kind, startsOf(starts))]
  })
  return [...long.map((session) => addReferences(readConversation(session), kind, new Set([0]))), ...joined]
}

function startsOf(lengths: readonly number[]): ReadonlySet<number> {
  let start = 0
  return new Set(lengths.map((length) => (start += length) - length))
}

function addReferences(conversation: Conversation, kind: Kind, starts: ReadonlySet<number>): MeasuredConversation {
  let begun = 0
  const spoken = conversation.messages.map((message, index): SpokenMessage => {
    if (starts.has(index)) begun = index
    if (message.role === 'tool') return { ...message, said: null }
    const text = textOf(message)
    const said = message.role === 'user' && kind.userWords !== undefined ? kind.userWords(text, index - begun) : text
    return { ...message, said }
  })
  return { ...conversation, references: findReferences(spoken, conversation.system) }
}

/** The size of a message by the one yardstick of the tables. */
export function sizeOf(message: Parameters<typeof estimateMessage>[0]): number {
  return estimateMessage(message, 'classes')
}
