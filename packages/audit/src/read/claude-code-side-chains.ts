import { isRecord } from '@longhaul/engine/advanced'
import { readString } from '@longhaul/store/jsonl'
import type { Line, LineGroup } from '@longhaul/store/jsonl'

export interface SideChain {
  readonly id: string
  readonly lines: LineGroup
}

/**
 * Earlier versions of Claude Code wrote the work of sub-agents between the lines of the session that sent them. A file
 * that is nothing but a side chain is a session of its own already.
 */
export function splitSideChains({ lines }: LineGroup): readonly SideChain[] {
  const isMain = lines.some(({ value }) => isRecord(value['message']) && value['isSidechain'] !== true)
  if (!isMain) return []
  const roots = new Map<string, string>()
  const chains = Map.groupBy(
    lines.filter(({ value }) => value['isSidechain'] === true),
    (line) => chainOf(line, roots),
  )
  return [...chains].map(([chain, own]) => ({ id: `agent-${chain}`, lines: { lines: own, skipped: [] } }))
}

/** By the sub-agent's own name; versions without one are followed to the first line. A parent stands above its child. */
function chainOf({ value }: Line, roots: Map<string, string>): string {
  const uuid = readString(value['uuid']) ?? ''
  const parent = readString(value['parentUuid'])
  const root = readString(value['agentId']) ?? (parent === undefined ? uuid : (roots.get(parent) ?? uuid))
  roots.set(uuid, root)
  return root
}
