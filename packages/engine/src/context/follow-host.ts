import type { Usage } from '../transcript/message.ts'
import type { SaidMessage } from './host-list.ts'
import type { DatedBody } from './memory-log.ts'
import type { MessageNode, MessageTree } from './message-tree.ts'
import type { OpenContext, PreparedRequest } from './open-context.ts'
import { findResultRule, truncateResults } from './truncate-results.ts'

/** Keeps the log of a mirror in step with the list of its host. */
export interface HostFollower {
  /**
   * Goes back to the last message that log and list share, then on with the list. `unchanged`: messages at the start of
   * the list that are known to be shared. `before`: messages of the log that stand before the list.
   */
  readonly follow: (list: readonly SaidMessage<object>[], unchanged: number, before: number) => Promise<void>
  /** The next answer in the list is the answer to this request, at this price. */
  readonly expect: (request: PreparedRequest, usage: Usage) => void
}

export function createHostFollower(open: OpenContext, tree: MessageTree): HostFollower {
  /** The nodes of the messages before the list, then of each message of the list that the log holds. */
  const path: MessageNode[] = []
  let begin = 0
  let expected: { readonly request: PreparedRequest; readonly usage: Usage } | null = null

  function createBody({ said, hash }: SaidMessage<object>): DatedBody {
    if (said.role === 'user') open.beginTurn()
    const session = open.session()
    const body = { type: 'message', ...truncateResults(said, findResultRule(session)), hostHash: hash } as const
    if (said.role !== 'assistant' || expected === null) return body
    const { request, usage } = expected
    expected = null
    return {
      ...body,
      // The list shows the answer at the next call only, which may be long after the provider's cache went cold.
      at: request.at,
      usage,
      anchor: request.sealed.anchor,
      ...(session.model === null ? {} : { model: session.model }),
    }
  }

  async function append(bodies: readonly DatedBody[]): Promise<void> {
    for (const entry of await open.append(bodies)) {
      tree.follow(entry)
      if (entry.type === 'message') path.push(tree.leaf())
    }
  }

  return {
    async follow(list, unchanged, before) {
      if (before === begin) path.length = Math.min(path.length, before + unchanged)
      else path.splice(0, path.length, ...tree.path().slice(0, before))
      begin = before
      let node = path.at(-1) ?? tree.root
      for (const { hash } of list.slice(path.length - before)) {
        const next = node.children.get(hash)
        if (next === undefined) break
        node = next
        path.push(node)
      }
      if (node !== tree.leaf()) await append([{ type: 'branch', to: node.entry }])
      await append(list.slice(path.length - before).map(createBody))
    },
    expect: (request, usage) => void (expected = { request, usage }),
  }
}
