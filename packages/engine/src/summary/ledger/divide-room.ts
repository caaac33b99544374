import type { Estimator } from '../../tokens/estimate-message.ts'
import type { FactKind, LedgerFact } from '../../transcript/summary-document.ts'
import { renderLines } from './ledger-lines.ts'
import { KIND_ORDER, isPrinted } from './rank-facts.ts'
import type { Told } from './told.ts'

/** How the kinds that have no room of their own share what is left; what one does not need flows to the others. */
const WEIGHTS: Readonly<Partial<Record<FactKind, number>>> = {
  ask: 2,
  decision: 3,
  failure: 2,
  command: 4,
  'file-read': 6,
  url: 1,
  id: 3,
  figure: 3,
}

interface Room {
  readonly byKind: ReadonlyMap<FactKind, readonly LedgerFact[]>
  readonly said: Told
  /** Tokens: the kinds that come first have taken theirs. */
  readonly left: number
  readonly estimator: Estimator
}

/** What the kinds get, in their order: first for what was said, done or repeated, then for what a program printed once. */
export function divideRoom({ byKind, said, left, estimator }: Room): readonly (readonly [FactKind, number])[] {
  const told = said.copy()
  const needs = KIND_ORDER.flatMap((kind) => {
    const weight = WEIGHTS[kind]
    const facts = byKind.get(kind)
    if (weight === undefined || facts === undefined) return []
    const options = { budgetTokens: Infinity, estimator, isBare: true }
    const meant = facts.filter((fact) => !isPrinted(fact))
    const all = renderLines(facts, told, options)
    const tokens = meant.length === facts.length ? all.tokens : renderLines(meant, told, options).tokens
    told.add(all.text)
    return [{ kind, weight, tokens, allTokens: all.tokens }]
  })
  const first = divide(needs, Math.max(0, left))
  const rest = needs.map((need) => ({ ...need, tokens: Math.max(0, need.allTokens - (first.get(need.kind) ?? 0)) }))
  const used = [...first.values()].reduce((sum, tokens) => sum + tokens, 0)
  const second = divide(rest, Math.max(0, left - used))
  return needs.map(({ kind }) => [kind, (first.get(kind) ?? 0) + (second.get(kind) ?? 0)] as const)
}

interface Need {
  readonly kind: FactKind
  readonly weight: number
  readonly tokens: number
}

/** By weight; a kind that needs less than its share leaves the rest to the others. */
function divide(needs: readonly Need[], room: number): ReadonlyMap<FactKind, number> {
  const shares = new Map<FactKind, number>()
  let left = room
  let open = needs
  while (open.length > 0) {
    const perWeight = left / open.reduce((sum, { weight }) => sum + weight, 0)
    const content = open.filter(({ tokens, weight }) => tokens <= perWeight * weight)
    if (content.length === 0) {
      for (const { kind, weight } of open) shares.set(kind, perWeight * weight)
      break
    }
    for (const { kind, tokens } of content) {
      shares.set(kind, tokens)
      left -= tokens
    }
    open = open.filter((need) => !content.includes(need))
  }
  return shares
}
