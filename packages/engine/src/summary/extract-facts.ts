import { shortenEnd } from '../messages/shorten.ts'
import type { MessageEntry } from '../transcript/entry.ts'
import type { Item } from '../transcript/item.ts'
import type { JsonValue, JsonObject } from '../transcript/json.ts'
import type { LedgerFact } from '../transcript/summary-document.ts'
import { askText, collectAsks } from './facts/ask-facts.ts'
import { collectCommands } from './facts/command-facts.ts'
import { collectConfirmation, collectDecisions } from './facts/decision-facts.ts'
import { type AddMention, createFactCollector } from './facts/fact-collector.ts'
import { collectFailures } from './facts/failure-facts.ts'
import { collectDates, collectFigures, collectResultFigures } from './facts/figure-facts.ts'
import { collectFiles, collectNameMentions, collectPathMentions } from './facts/file-facts.ts'
import { MAX_WRITTEN_CHARS, collectInstructions, writtenPart } from './facts/instruction-facts.ts'
import { collectOpenWork } from './facts/open-work-facts.ts'
import { collectReferences, type Said } from './facts/reference-facts.ts'
import { collectShortCodes } from './facts/short-codes.ts'
import { readToolUses, type ToolUse } from './facts/tool-use.ts'
import { proseOf, sampleText, wordsOf } from './facts/message-words.ts'
import { redactSecrets } from './redact-secrets.ts'
import { joinPaths } from './ledger/join-paths.ts'

const WRITTEN_LIMITS = { strict: false, maxUrls: 40, maxIds: 40 } as const
const PRINTED_LIMITS = { strict: true, maxUrls: 10, maxIds: 20 } as const
const MAX_WRITTEN_FIGURES = 40
const MAX_WRITTEN_PATHS = 60
const MAX_PRINTED_PATHS = 60
const WRITTEN_CODES = { maxCodes: 40, isPassing: false } as const
const PRINTED_CODES = { maxCodes: 10, isPassing: true } as const
/** A longer string in a call is the body of a file, not something the model refers to. */
const MAX_ARGUMENT_CHARS = 400

/** A span is read twice: for the ledger, and for the score of what the ledger and the notes then hold. */
const extracted = new WeakMap<readonly Item[], readonly LedgerFact[]>()

/**
 * What must survive a compaction, taken from the stored messages by rules: no model, no luck. Reads what was said, never
 * its pruned form. Each fact in its own words, with the messages it comes from. Linear in the text; never throws.
 */
export function extractFacts(items: readonly Item[]): readonly LedgerFact[] {
  const facts = extracted.get(items) ?? extract(items)
  extracted.set(items, facts)
  return facts
}

function extract(items: readonly Item[]): readonly LedgerFact[] {
  const collector = createFactCollector()
  const { add } = collector
  const entries = items.map((item) => item.entry)
  collectAsks(entries, add)
  collectWords(entries, add)
  const uses = readToolUses(entries)
  for (const use of uses) collectUse(use, add)
  collectOpenWork(uses, add)
  return joinPaths(collector.list())
}

function collectWords(entries: readonly MessageEntry[], add: AddMention): void {
  let reply = ''
  for (const entry of entries) {
    if (entry.role === 'tool') continue
    const text = entry.role === 'user' ? askText(entry) : wordsOf(entry)
    if (text === '') continue
    const prose = proseOf(text)
    if (entry.role === 'user') {
      collectInstructions(prose, entry, add)
      collectConfirmation(text, reply, entry, add)
      collectDecisions(writtenPart(prose), 'user', entry, add)
      collectSaid(text, writtenPart(prose), 'user', entry, add)
    } else {
      collectDecisions(prose, 'assistant', entry, add)
      collectSaid(text, prose, 'assistant', entry, add)
      reply = prose
    }
  }
}

/** Code and lists are said as prose is. But a person's long message is pasted, and counts as printed: nobody picked each word of it. */
function collectSaid(
  text: string,
  prose: string,
  by: 'user' | 'assistant',
  entry: MessageEntry,
  add: AddMention,
): void {
  const written: Said = { text: prose, by, entry }
  collectReferences(written, WRITTEN_LIMITS, add)
  collectShortCodes(written, WRITTEN_CODES, add)
  collectPathMentions(written, MAX_WRITTEN_PATHS, add)
  collectFigures(written, MAX_WRITTEN_FIGURES, add)
  if (text.length <= prose.length + 20) return
  const isPasted = by === 'user' && text.length > MAX_WRITTEN_CHARS
  collectPrinted({ text, by: isPasted ? 'tool' : by, entry, ...(isPasted ? { origin: 'pasted by user' } : {}) }, add)
}

function collectPrinted(printed: Said, add: AddMention): void {
  collectReferences(printed, PRINTED_LIMITS, add)
  collectShortCodes(printed, PRINTED_CODES, add)
  collectDates(printed, add)
  collectPathMentions(printed, MAX_PRINTED_PATHS, add)
}

function collectUse(use: ToolUse, add: AddMention): void {
  collectFiles(use, add)
  collectCommands(use, add)
  collectFailures(use, add)
  for (const text of shortStrings(use.call.input)) {
    const said: Said = { text, by: 'assistant', entry: use.entry }
    collectReferences(said, WRITTEN_LIMITS, add)
    collectShortCodes(said, PRINTED_CODES, add)
    if (use.command !== null) {
      collectPathMentions(said, MAX_WRITTEN_PATHS, add)
      continue
    }
    collectNameMentions(said, MAX_WRITTEN_PATHS, add)
    collectDates(said, add)
  }
  for (const text of use.command === null ? longStrings(use.call.input) : []) {
    const body: Said = { text: redactSecrets(sampleText(text)), by: 'tool', entry: use.entry }
    collectPathMentions(body, MAX_PRINTED_PATHS, add)
    if (writesDocument(use)) collectShortCodes({ ...body, by: 'assistant' }, WRITTEN_CODES, add)
  }
  if (use.outcome === null) return
  const printed: Said = { text: use.outcome.text, by: 'tool', entry: use.outcome.entry, origin: originOf(use) }
  collectPrinted(printed, add)
  if (use.command !== null) collectResultFigures(printed, add)
}

const MAX_TOOL_CHARS = 40

/** The tool that answered and, where it was given an address, whose page it is: `http_get example.org`. */
function originOf({ call }: ToolUse): string {
  const tool = shortenEnd(call.toolName, MAX_TOOL_CHARS)
  const host = Object.values(call.input).flatMap((value) =>
    typeof value === 'string' ? (HOST.exec(value)?.[1] ?? []) : [],
  )
  return [tool, ...host.slice(0, 1)].join(' ')
}

const HOST = /^\s{0,10}https?:\/\/(?:[^/?#@\s]{0,100}@)?([\w.:[\]-]{1,100})/i

/** A plan or a report: what it calls its parts is said, not merely printed. */
function writesDocument({ call }: ToolUse): boolean {
  return Object.values(call.input).some((value) => typeof value === 'string' && DOCUMENT_PATH.test(value))
}

const DOCUMENT_PATH = /^[^\n]{1,400}\.(?:md|mdx|txt|rst|adoc)$/i

/** What stands under such a name is never looked at. */
const NAMES_SECRET = /pass(?:word|wd|phrase)|secret|token$|api_?key|authorization|credential|private_?key/i

/** What a call was given, each value behind its name: `departure_date: 2024-05-15`. */
function shortStrings(value: JsonValue, name = '', depth = 0): readonly string[] {
  if (typeof value === 'string')
    return value.length <= MAX_ARGUMENT_CHARS ? [redactSecrets(name === '' ? value : `${name}: ${value}`)] : []
  if (typeof value !== 'object' || value === null || depth > 4) return []
  return Object.entries(value)
    .slice(0, 100)
    .flatMap(([key, child]: [string, JsonValue]) =>
      NAMES_SECRET.test(key) ? [] : shortStrings(child, Array.isArray(value) ? name : key, depth + 1),
    )
}

function longStrings(input: JsonObject): readonly string[] {
  return Object.values(input).filter(
    (value) => typeof value === 'string' && value.length > MAX_ARGUMENT_CHARS,
  ) as string[]
}
