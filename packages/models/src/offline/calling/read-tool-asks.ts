import { isRecord, splitSentences } from '@longhaul/engine/advanced'
import { TOOL_ASK_RULES, unquote } from './tool-ask-rules.ts'
import type { ToolAsk } from './tool-ask.ts'

export interface ReadAsks {
  readonly asks: readonly ToolAsk[]
  /** What was said besides. */
  readonly rest: string
}

const MAX_ASKS = 8
/** Of a longer message the ends are the user's own words; what lies between is mostly pasted. */
const MAX_OWN_CHARS = 4_000
const END_CHARS = 1_000

const LEAD =
  /^(?:(?:please|pls|now|then|and|also|first|next|finally|ok(?:ay)?|hey|hi|so|just|(?:can|could|would|will) you|i(?:['’]d like| want| need) you to|go ahead and|let['’]s)[,:]?\s+)+/i
const NEXT_ASK =
  /(?<!\s)(?:\s*;|\s*,\s+(?:and then|then|and)|\s+(?:and then|then|and))\s+(?=(?:please )?(?:read|open|show|cat|list|ls|write|save|append|add|create|run|execute|fetch|get|download|remember|recall|search|grep|find|call|use|tell|give|what|which|where|who|when|why|how)\b)/i

/**
 * Asks for tools, in plain words, at the beginning of a sentence or after "and". Code blocks and quoted lines are material,
 * whatever they say.
 */
export function readToolAsks(message: string, toolNames: readonly string[]): ReadAsks {
  const asks: ToolAsk[] = []
  const rest: string[] = []
  for (const clause of splitClauses(message)) {
    const read = readClause(clause, message, toolNames)
    asks.push(...read)
    if (read.length === 0) rest.push(clause)
  }
  return { asks: asks.slice(0, MAX_ASKS), rest: rest.join('\n') }
}

function splitClauses(message: string): readonly string[] {
  const own = message.replace(FENCED, '').replace(/^[ \t]*>.*$/gm, '')
  const ends = own.length <= MAX_OWN_CHARS ? own : `${own.slice(0, END_CHARS)}\n${own.slice(-END_CHARS)}`
  return splitSentences(ends).flatMap((sentence) => sentence.split(NEXT_ASK))
}

const FENCED = /^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1.*$|$(?![\s\S]))/gm

function readClause(clause: string, message: string, toolNames: readonly string[]): readonly ToolAsk[] {
  const words = clause
    .replace(LEAD, '')
    .replace(/(?<=[\w"'`)])[.!]+$/, '')
    .trim()
  const named = readNamed(words, toolNames)
  if (named !== null) return [named]
  for (const { pattern, read } of TOOL_ASK_RULES) {
    const match = pattern.exec(words)
    const asks = match === null ? [] : read({ words, groups: match.slice(1).map((group) => group ?? ''), message })
    if (asks.length > 0) return asks
  }
  return []
}

/** `call lookup with {"id": 7}`, `use lookup with id=7`. */
function readNamed(words: string, toolNames: readonly string[]): ToolAsk | null {
  const match =
    /^(?:call|use|invoke|run)\s+(?:the\s+)?(?:tool\s+)?[`"']?([\w.:/-]+)[`"']?(?:\s+tool)?(?:\s+(?:with|for|on|to))?[:\s]*([\s\S]*)$/i.exec(
      words,
    )
  const toolName = toolNames.find((name) => name === match?.[1])
  if (match === null || toolName === undefined) return null
  const given = match[2] ?? ''
  return { kind: 'named', toolName, input: readJson(given) ?? readPairs(given), words: unquote(given) }
}

function readJson(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function readPairs(text: string): Readonly<Record<string, unknown>> {
  const pairs = text.matchAll(/(?<![\w-])([\w-]+)\s*[=:]\s*("[^"]*"|'[^']*'|[^\s,]+)/g)
  return Object.fromEntries([...pairs].map(([, key = '', value = '']) => [key, unquote(value)]))
}
