import type { Fields, Line } from '../parse-lines.ts'
import { isPrompt } from './read-blocks.ts'

/**
 * Going back to an earlier prompt leaves the first attempt in the file: two prompts then answer the same message, and
 * the one whose branch was written to last is the conversation. Parents alone do not tell, because parallel tool calls
 * fork as well; and a prompt without an ancestor proves nothing, because resumed sessions start from no parent.
 */
export function findAbandoned(lines: readonly Line[]): ReadonlySet<Line> {
  const tree = createTree(lines)
  const attempts = Map.groupBy(
    lines.filter(({ value }) => isPrompt(value)),
    (line) => tree.messageAbove(line),
  )
  const losers = new Set<Line>()
  for (const [parent, prompts] of attempts) {
    if (parent === undefined || prompts.length < 2) continue
    const winner = prompts.reduce((best, prompt) => (tree.lastBelow(prompt) > tree.lastBelow(best) ? prompt : best))
    for (const prompt of prompts) if (prompt !== winner) losers.add(prompt)
  }
  return tree.withDescendants(losers)
}

interface Tree {
  messageAbove(line: Line): Line | undefined
  /** The last line of the branch that starts here. */
  lastBelow(line: Line): number
  withDescendants(lines: ReadonlySet<Line>): ReadonlySet<Line>
}

function createTree(lines: readonly Line[]): Tree {
  const byUuid = new Map(lines.map((line) => [line.value['uuid'], line]))
  const parentOf = (line: Line): Line | undefined => {
    const parent = typeof line.value['parentUuid'] === 'string' ? byUuid.get(line.value['parentUuid']) : undefined
    // A child stands below its parent; anything else is damage and could run in a circle.
    return parent !== undefined && parent.line < line.line ? parent : undefined
  }
  const lastLine = new Map<Line, number>()
  for (const line of lines.toReversed()) {
    const last = lastLine.get(line) ?? line.line
    lastLine.set(line, last)
    const parent = parentOf(line)
    if (parent !== undefined) lastLine.set(parent, Math.max(last, lastLine.get(parent) ?? parent.line))
  }
  return {
    messageAbove(line) {
      let parent = parentOf(line)
      while (parent !== undefined && !isTurningPoint(parent.value)) parent = parentOf(parent)
      return parent
    },
    lastBelow: (line) => lastLine.get(line) ?? line.line,
    withDescendants(roots) {
      const found = new Set(roots)
      for (const line of lines) {
        const parent = parentOf(line)
        if (parent !== undefined && found.has(parent)) found.add(line)
      }
      return found
    },
  }
}

function isTurningPoint({ type, subtype }: Fields): boolean {
  return type === 'user' || type === 'assistant' || subtype === 'compact_boundary'
}
