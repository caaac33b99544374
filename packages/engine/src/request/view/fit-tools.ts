import { estimateField } from '../../tokens/estimate-message.ts'
import type { Estimator } from '../../tokens/estimate-message.ts'
import type { ToolOrigin, ToolSchema } from './environment.ts'

/** A tool that may come from somebody else than Longhaul. */
export interface OfferedTool extends ToolSchema {
  readonly origin?: ToolOrigin
}

/** Tools of one origin that a request does not hold, because they would take too much of the window. */
export interface LeftOutTools {
  readonly origin: ToolOrigin
  /** How many tools it offers, and how many of them are left out. */
  readonly offered: number
  readonly leftOut: number
  /** Estimated size of those that are left out. */
  readonly tokens: number
  readonly chars: number
}

export interface FittedTools<T> {
  /** In the order in which they were offered, so that the same offer gives the same bytes. */
  readonly tools: readonly T[]
  readonly leftOut: readonly LeftOutTools[]
}

/** One definition above this is no tool that a model could use well; it is left out, whatever room there is. */
const MAX_ONE_TOOL_TOKENS = 10_000

/**
 * Longhaul's own tools are always there. Tools of the program around it come next, in order, within `toolTokens`. MCP
 * servers share what then remains, each as much as it needs up to an equal share: a greedy one never pushes out a small
 * one. A definition is taken whole or left out, since half a schema would let a model make calls that fail.
 */
export function fitTools<T extends OfferedTool>(
  offered: readonly T[],
  { toolTokens, estimator }: { readonly toolTokens: number; readonly estimator: Estimator },
): FittedTools<T> {
  const groups = groupByOrigin(offered, estimator)
  const program = groups.filter(({ origin }) => origin.kind === 'program')
  const servers = groups.filter(({ origin }) => origin.kind === 'mcp')
  const taken = new Set<T>()
  let room = toolTokens
  for (const group of program) room -= takeWithin(group, room, taken)
  const shares = shareFairly(servers.map(sizeOf), room)
  for (const [index, group] of servers.entries()) takeWithin(group, shares[index] ?? 0, taken)
  return {
    tools: offered.filter((tool) => tool.origin === undefined || taken.has(tool)),
    leftOut: groups.flatMap((group) => describeLeftOut(group, taken)),
  }
}

interface Sized<T> {
  readonly tool: T
  readonly tokens: number
  readonly chars: number
}

interface Group<T> {
  readonly origin: ToolOrigin
  readonly tools: readonly Sized<T>[]
}

function groupByOrigin<T extends OfferedTool>(offered: readonly T[], estimator: Estimator): readonly Group<T>[] {
  const groups = new Map<string, { readonly origin: ToolOrigin; readonly tools: Sized<T>[] }>()
  for (const tool of offered) {
    const { origin } = tool
    if (origin === undefined) continue
    const key = origin.kind === 'mcp' ? `mcp ${origin.server}` : origin.kind
    const group = groups.get(key) ?? { origin, tools: [] }
    groups.set(key, group)
    group.tools.push({ tool, ...measureTool(tool, estimator) })
  }
  return [...groups.values()]
}

function measureTool({ name, description, inputSchema }: ToolSchema, estimator: Estimator): Omit<Sized<never>, 'tool'> {
  const text = JSON.stringify({ name, description, inputSchema })
  return { tokens: estimateField(text, estimator), chars: text.length }
}

/** What a group could use: definitions that are too large by themselves ask for nothing. */
function sizeOf<T>({ tools }: Group<T>): number {
  return tools.reduce((sum, { tokens }) => sum + (tokens > MAX_ONE_TOOL_TOKENS ? 0 : tokens), 0)
}

/** Returns what was taken. */
function takeWithin<T>({ tools }: Group<T>, room: number, taken: Set<T>): number {
  let used = 0
  for (const { tool, tokens } of tools) {
    if (tokens > MAX_ONE_TOOL_TOKENS || used + tokens > room) continue
    used += tokens
    taken.add(tool)
  }
  return used
}

/** The smallest needs are met first; what they leave goes to the others in equal parts. */
function shareFairly(needs: readonly number[], room: number): readonly number[] {
  const shares = needs.map(() => 0)
  let left = room
  const bySize = [...needs.entries()].toSorted(([, a], [, b]) => a - b)
  for (const [place, [index, need]] of bySize.entries()) {
    const share = Math.min(need, Math.floor(left / (bySize.length - place)))
    shares[index] = share
    left -= share
  }
  return shares
}

function describeLeftOut<T>({ origin, tools }: Group<T>, taken: ReadonlySet<T>): readonly LeftOutTools[] {
  const missing = tools.filter(({ tool }) => !taken.has(tool))
  if (missing.length === 0) return []
  const sum = (pick: (sized: Sized<T>) => number): number => missing.reduce((total, sized) => total + pick(sized), 0)
  return [
    {
      origin,
      offered: tools.length,
      leftOut: missing.length,
      tokens: sum(({ tokens }) => tokens),
      chars: sum(({ chars }) => chars),
    },
  ]
}
