import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { JsonObject } from '@longhaul/engine/advanced'
import { isRecord, toolWords } from '@longhaul/engine/advanced'
import { fillInput, propertiesOf } from './fill-input.ts'
import type { Intent, ToolAsk } from './tool-ask.ts'

/** A call as it is to be made. */
export interface PlannedCall {
  readonly toolName: string
  readonly input: JsonObject
}

/** How tools for an intent are called: what they do, with what, and words that mean another tool. */
const VOCABULARY: Readonly<Record<Intent, { readonly does: string; readonly to: string; readonly not: string }>> = {
  'read-file': {
    does: 'read open view cat show get load',
    to: 'file files text document cat',
    not: 'memory artifact http url web list search write image directory',
  },
  'list-files': {
    does: 'list ls dir glob tree',
    to: 'files file directory folder dir ls glob',
    not: 'memory memories artifact session models',
  },
  'search-files': {
    does: 'search grep find rg',
    to: 'files file code text content grep rg',
    not: 'memory memories web recall history conversation',
  },
  'write-file': { does: 'write create save put', to: 'file files text', not: 'memory append edit directory folder' },
  'append-file': { does: 'append write add', to: 'file files text', not: 'edit directory folder' },
  'run-command': {
    does: 'run execute exec shell bash',
    to: 'command cmd shell bash terminal script',
    not: 'memory query',
  },
  fetch: {
    does: 'fetch get request download curl browse',
    to: 'http url web page fetch',
    not: 'memory file post artifact',
  },
  remember: {
    does: 'save store remember add write keep',
    to: 'memory memories note fact',
    not: 'search get read list delete file',
  },
  'search-memory': { does: 'search find query lookup', to: 'memory memories notes', not: 'save write file web' },
  'read-memory': { does: 'get read load', to: 'memory memories note', not: 'save search write list' },
  recall: { does: 'recall', to: 'recall history conversation transcript', not: 'save write' },
  'read-artifact': { does: 'read get page load', to: 'artifact artifacts', not: 'write save delete' },
}
/** A word in the name counts twice as much as one in the description; one that means another tool outweighs all. */
const NAMED_POINTS = 2
const DESCRIBED_POINTS = 1
const OTHER_POINTS = 5

/** The call that fits what was asked; null where no tool does. Tools are known by their words and arguments, not by a list. */
export function chooseCall(ask: ToolAsk, tools: readonly LanguageModelV4FunctionTool[]): PlannedCall | null {
  if (ask.kind === 'named') {
    const tool = tools.find(({ name }) => name === ask.toolName)
    const input =
      tool === undefined ? null : fillInput(tool.inputSchema, { slots: {}, given: ask.input, words: ask.words })
    return tool === undefined || input === null ? null : { toolName: tool.name, input }
  }
  const ranked = tools
    .map((tool) => ({ tool, points: scoreTool(tool, ask.intent) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
  for (const { tool } of ranked) {
    const flags = flagsOf(ask.intent, tool)
    if (flags === null) continue
    const input = fillInput(tool.inputSchema, { slots: ask.slots, given: flags, words: '' })
    if (input !== null) return { toolName: tool.name, input }
  }
  return null
}

/** 0 for a tool of another kind: what it does and what with must both be said, one of them in the name. */
function scoreTool({ name, description = '' }: LanguageModelV4FunctionTool, intent: Intent): number {
  const named = new Set(toolWords(name))
  const described = new Set(description.toLowerCase().match(/[a-z]+/g))
  const pointsFor = (words: string): number => {
    const isIn = (among: ReadonlySet<string>): boolean => words.split(' ').some((word) => among.has(word))
    return isIn(named) ? NAMED_POINTS : isIn(described) ? DESCRIBED_POINTS : 0
  }
  const { does, to, not } = VOCABULARY[intent]
  const [doing, matter] = [pointsFor(does), pointsFor(to)]
  const isOther = not.split(' ').some((word) => named.has(word))
  if (doing === 0 || matter === 0 || Math.max(doing, matter) < NAMED_POINTS) return 0
  return doing + matter - (isOther ? OTHER_POINTS : 0)
}

/** A tool that writes may append only if it says so: by its name, or by an argument. */
function flagsOf(
  intent: Intent,
  { name, inputSchema }: LanguageModelV4FunctionTool,
): Readonly<Record<string, unknown>> | null {
  if (intent !== 'append-file' || toolWords(name).includes('append')) return {}
  for (const [key, property] of Object.entries(propertiesOf(inputSchema))) {
    if (!isRecord(property)) continue
    if (/append/i.test(key) && property['type'] === 'boolean') return { [key]: true }
    if (Array.isArray(property['enum']) && property['enum'].includes('append')) return { [key]: 'append' }
  }
  return null
}
