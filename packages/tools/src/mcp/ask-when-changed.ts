import type { Permission, Tool } from '../port/tool.ts'
import { digestTool } from './digest-tool.ts'

/** A tool of an MCP server as it was when it was last allowed. Its texts are cut: they are there to show a change. */
export interface AllowedDefinition {
  readonly digest: string
  readonly description: string
  readonly inputSchema: string
}

/** Keeps what was allowed, by the name of the tool, over restarts. */
export interface AllowedTools {
  readonly get: (name: string) => Promise<AllowedDefinition | null>
  readonly put: (name: string, definition: AllowedDefinition) => Promise<void>
}

/**
 * A tool whose description or schema is not the one that was allowed is asked for again, in words that say what changed,
 * also where the configuration allows it by its name. A tool is allowed by a person's yes; and by the configuration the
 * first time it is used, since nobody has seen another definition of it.
 */
export function askWhenChanged(tool: Tool, allowed: AllowedTools): Tool {
  if (tool.origin?.kind !== 'mcp') return tool
  const { name } = tool
  let defined: AllowedDefinition | null = null
  // Only when it is used: most tools that are offered never are.
  const define = (): AllowedDefinition => (defined ??= defineNow(tool))
  return {
    ...tool,
    async permit(input) {
      const own = await tool.permit(input)
      if (own.verdict === 'deny') return own
      const before = await allowed.get(name)
      if (before === null) {
        if (own.verdict === 'allow') await allowed.put(name, define())
        return own
      }
      const now = define()
      return before.digest === now.digest ? own : askAgain(own, name, describeChange(before, now))
    },
    async run(input, context) {
      // Only a person's yes to this very call comes here; what the configuration allows is not passed on so far.
      if (context.isApproved === true) await allowed.put(name, define())
      return tool.run(input, context)
    },
  }
}

function askAgain(own: Permission, name: string, change: string): Permission {
  const question = own.verdict === 'ask' ? own.reason : `Use ${name}?`
  return { verdict: 'ask', reason: `${question} It has changed since it was last allowed. ${change}` }
}

function defineNow(tool: Tool): AllowedDefinition {
  return {
    digest: digestTool(tool),
    description: cut(tool.description, MAX_KEPT_CHARS),
    inputSchema: cut(JSON.stringify(tool.inputSchema), MAX_KEPT_CHARS),
  }
}

const MAX_KEPT_CHARS = 4_000
const MAX_SHOWN_CHARS = 300

function describeChange(before: AllowedDefinition, now: AllowedDefinition): string {
  const changes = [
    showChange('Description', before.description, now.description),
    showChange('Schema', before.inputSchema, now.inputSchema),
  ].filter((change) => change !== '')
  return changes.length === 0
    ? 'The change lies beyond what is shown here, or its server is another one.'
    : changes.join(' ')
}

/** From shortly before the first difference, so that a change at the end of a long text is seen. */
function showChange(what: string, before: string, now: string): string {
  if (before === now) return ''
  let same = 0
  while (before[same] === now[same] && same < before.length) same += 1
  const from = Math.max(0, same - SHOWN_BEFORE_CHARS)
  const show = (text: string): string => `${from > 0 ? '…' : ''}${quote(text.slice(from, from + MAX_SHOWN_CHARS))}`
  return `${what}: ${show(before)} → ${show(now)}.`
}

const SHOWN_BEFORE_CHARS = 40

/** One line, in quotes, and nothing in it that could reorder or hide what stands beside it. */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll(
    /[\p{Cf}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  )
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars).toWellFormed()}…`
}
