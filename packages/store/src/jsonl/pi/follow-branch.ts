import type { Fields, Line } from '../parse-lines.ts'

export interface Branch {
  readonly path: readonly Line[]
  /** Entries on other branches. */
  readonly left: readonly Line[]
}

/**
 * A pi session is a tree from version 2 on: the conversation is the way from the root to the current leaf, which is the
 * last entry unless a line moved it. Version 1 has no ids and is a list.
 */
export function followBranch(lines: readonly Line[]): Branch {
  const nodes = lines.filter(({ value }) => isNode(value))
  const byId = new Map<unknown, Line>()
  for (const node of nodes) if (typeof node.value['id'] === 'string') byId.set(node.value['id'], node)
  const before = new Map(nodes.map((node, index) => [node, nodes[index - 1]]))
  const path = new Set<Line>()
  const isTree = nodes.some(({ value }) => typeof value['parentId'] === 'string')
  let node = byId.get(currentLeaf(lines)) ?? nodes.at(-1)
  while (node !== undefined && !path.has(node)) {
    path.add(node)
    const { parentId } = node.value
    // A parent whose line was lost would cut off everything before it, so the line above takes its place.
    node = isTree && parentId === null ? undefined : (byId.get(parentId) ?? before.get(node))
  }
  return { path: [...path].toReversed(), left: nodes.filter((candidate) => !path.has(candidate)) }
}

function isNode({ kind, type }: Fields): boolean {
  if (type === 'session' || type === 'leaf') return false
  return kind === undefined || kind === 'entry'
}

/** Version 4 writes lanes side by side; the conversation is the one that begins first. */
function currentLeaf(lines: readonly Line[]): unknown {
  let mainLane: unknown
  let leaf: unknown
  for (const { value } of lines) {
    const { kind, lane } = value
    if (lane !== undefined) mainLane ??= lane
    if (lane !== mainLane) continue
    if (kind === 'lane') leaf = value['leafId']
    else if (value['type'] === 'leaf') leaf = value['targetId']
    else if (isNode(value)) leaf = value['id']
  }
  return leaf
}
