import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { textOf } from '@longhaul/engine/advanced'
import { chooseCall } from '../calling/choose-tool.ts'
import type { PlannedCall } from '../calling/choose-tool.ts'
import { planCalls } from '../calling/plan-calls.ts'
import type { ToolAsk } from '../calling/tool-ask.ts'
import type { Conversation } from '../reading/read-conversation.ts'
import { ASKED, collectPoints } from '../summarising/collect-points.ts'
import { fitPoints } from '../summarising/fit-points.ts'
import { toEntries } from '../summarising/create-entry.ts'
import type { FlushPrompt } from './read-flush-prompt.ts'

const MAX_FACTS = 12
const MAX_FACTS_TOKENS = 600
/** Instructions, decisions and telling sentences of the user; nothing below outlasts a conversation. */
const MIN_SCORE = 3
const REDACTED = '[redacted]'
/** Signs that what a tool showed is not the file itself: a part of it, or its lines with their numbers. */
const NOT_WHOLE = /\[(?:\.\.\.|…).{0,200}(?:truncated|left out|characters)|^\s*1\s?[\t|:→]/i
const NO_FILE = /no such file|not found|not exist|enoent/i

/** The calls that save what must last; none where nothing is left to save or there is no tool to save it with. */
export function planSaves(
  { path }: FlushPrompt,
  conversation: Conversation,
  tools: readonly LanguageModelV4FunctionTool[],
): readonly PlannedCall[] {
  const facts = findUnsaved(conversation)
  if (facts.length === 0) return []
  if (path !== null) return planAppend(path, facts.map((fact) => `- ${fact}\n`).join(''), conversation, tools)
  const asks = facts.map((content): ToolAsk => ({ kind: 'intent', intent: 'remember', slots: { content } }))
  return planCalls(asks, tools, conversation.uses).calls
}

/** What user and assistant said; a text that a tool brought in is nobody's fact. */
function findUnsaved({ passages, ask, uses, earlierUses }: Conversation): readonly string[] {
  const entries = toEntries(
    passages.filter(({ origin, text }) => text !== ask && (origin === 'user' || origin === 'assistant')),
  )
  const said = passages.map(({ text }) => text).join('\n')
  const worth = collectPoints(entries, { withNames: false }).filter(
    ({ kind, score, text }) =>
      score >= MIN_SCORE &&
      kind !== 'open' &&
      kind !== 'state' &&
      !(kind === 'finding' && isFiller(text, said)) &&
      !text.startsWith(ASKED) &&
      !text.includes(REDACTED),
  )
  const saved = [...earlierUses, ...uses].map(({ input, result }) => `${textOf(input)}\n${result?.text ?? ''}`)
  return fitPoints(worth, MAX_FACTS_TOKENS)
    .map(({ text }) => text)
    .filter((text) => !saved.some((words) => words.includes(JSON.stringify(text).slice(1, -1)) || words.includes(text)))
    .slice(-MAX_FACTS)
}

const A_FEW_WORDS = /\S+(?:\s+\S+){3}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{4}/
const FILLER_TIMES = 3

/** "Message 24." says nothing by itself, and what is said again and again is no news. */
function isFiller(text: string, said: string): boolean {
  return !A_FEW_WORDS.test(text) || said.split(text).length > FILLER_TIMES
}

/** Appended where a tool can; else read first and written back with the new lines, because nothing may be overwritten. */
function planAppend(
  path: string,
  content: string,
  { uses }: Conversation,
  tools: readonly LanguageModelV4FunctionTool[],
): readonly PlannedCall[] {
  const append = chooseCall({ kind: 'intent', intent: 'append-file', slots: { path, content } }, tools)
  if (append !== null) return [append]
  const readAsk: ToolAsk = { kind: 'intent', intent: 'read-file', slots: { path } }
  const read = chooseCall(readAsk, tools)
  const before = uses.find(({ toolName, result }) => toolName === read?.toolName && result !== null)?.result
  if (before === undefined || before === null) return planCalls([readAsk], tools, uses).calls
  const isSafe = before.isError ? NO_FILE.test(before.text) : !NOT_WHOLE.test(before.text)
  if (!isSafe) return []
  const old = before.isError || before.text === '' ? '' : `${before.text.trimEnd()}\n`
  const write = chooseCall(
    { kind: 'intent', intent: 'write-file', slots: { path, content: `${old}${content}` } },
    tools,
  )
  return write === null ? [] : [write]
}
