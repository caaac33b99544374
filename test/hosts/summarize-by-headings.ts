import { summarize } from '../long-conversations/wire-brain.ts'

const HEADINGS = /exact section headings:\n((?:## .+\n)+)/
const MAX_NAMES = 24
const MAX_ASK_CHARS = 300

/**
 * A summary with the headings that a host demands; null where it demands none. OpenClaw refuses a summary without them, so
 * a model that did not follow would make a host look worse than it is. It holds as many facts as any other summary here.
 */
export function summarizeByHeadings(text: string): string | null {
  const [, demanded] = HEADINGS.exec(text) ?? []
  if (demanded === undefined) return null
  const facts = [...summarize(text).matchAll(/^\+ Findings: (.+)$/gm)].map(([, fact]) => `- ${fact}`)
  const headings = demanded.trim().split('\n')
  return headings.map((heading, index) => `${heading}\n${fill(heading, text) ?? fillFirst(index, facts)}`).join('\n\n')
}

function fill(heading: string, text: string): string | null {
  if (/identifiers/i.test(heading)) return list([...new Set(text.match(/[\w-]+\/[\w./-]+\.\w+/g))].slice(-MAX_NAMES))
  if (!/asks/i.test(heading)) return null
  const asks = [...text.matchAll(/^\[User\]: (.+)$/gm)]
  return list(asks.slice(-1).map(([, ask = '']) => ask.slice(0, MAX_ASK_CHARS)))
}

function fillFirst(index: number, facts: readonly string[]): string {
  return index === 0 && facts.length > 0 ? facts.join('\n') : 'None.'
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? 'None.' : lines.map((line) => `- ${line}`).join('\n')
}
