import type { Entry, EntryRef, MessageEntry } from '../transcript/entry.ts'
import { hashMessage } from './hash-message.ts'

/** A message of a host at one place of one branch. */
export interface MessageNode {
  /** null at the root, which stands before the first message. */
  readonly entry: EntryRef | null
  /** '' at the root. */
  readonly hash: string
  readonly parent: MessageNode | null
  /** How many messages stand before it. -1 at the root. */
  readonly depth: number
  /** The log holds it as the host does: nothing was cut before it was stored. */
  readonly isWhole: boolean
  readonly children: Map<string, MessageNode>
}

/** Every message that a host has ever shown, by its place: the same message behind another one is another node. */
export interface MessageTree {
  readonly root: MessageNode
  /** The place in force: the newest message of the branch. */
  readonly leaf: () => MessageNode
  /** The messages of the branch in force, from the first to the newest. */
  readonly path: () => MessageNode[]
  readonly find: (entry: EntryRef) => MessageNode | undefined
  /** Follows an entry of the log. */
  readonly follow: (entry: Entry) => void
}

export function createMessageTree(entries: readonly Entry[]): MessageTree {
  const root: MessageNode = { entry: null, hash: '', parent: null, depth: -1, isWhole: true, children: new Map() }
  /** By the place of the entry in the log. */
  const nodes: MessageNode[] = []
  let leaf = root

  function follow(entry: Entry): void {
    if (entry.type === 'branch') leaf = entry.to === null ? root : (find(entry.to) ?? leaf)
    if (entry.type === 'message') leaf = add(leaf, entry)
  }

  function add(parent: MessageNode, entry: MessageEntry): MessageNode {
    const stored = hashMessage(entry)
    const hash = entry.hostHash ?? stored
    const ref = { id: entry.id, seq: entry.seq }
    const place = { entry: ref, hash, parent, depth: parent.depth + 1 }
    const node = { ...place, isWhole: hash === stored, children: new Map() }
    parent.children.set(hash, node)
    nodes[entry.seq] = node
    return node
  }

  function find({ id, seq }: EntryRef): MessageNode | undefined {
    const node = nodes[seq]
    return node?.entry?.id === id ? node : undefined
  }

  function path(): MessageNode[] {
    const nodesBack: MessageNode[] = []
    for (let node = leaf; node.parent !== null; node = node.parent) nodesBack.push(node)
    return nodesBack.toReversed()
  }

  entries.forEach(follow)
  return { root, leaf: () => leaf, path, find, follow }
}
