import type { AgentEvent } from '@longhaul/runtime'
import { COMPACTING, describeCompleted, describeEvent } from '../describe-event.ts'
import type { Block } from './block.ts'
import { THINKING, addBlock, addNotice, endTurn, newTurn, startTurn } from './conversation.ts'
import type { Conversation } from './conversation.ts'

/** What is shown after an event. Pure, so that what a screen looks like can be told without one. */
export function applyEvent(conversation: Conversation, event: AgentEvent, isVerbose: boolean): Conversation {
  const now = enterTurn(conversation, event)
  switch (event.type) {
    case 'text-delta':
      return { ...addText(now, 'assistant', event.text), activity: 'Answering…' }
    case 'reasoning-delta':
      return { ...(isVerbose ? addText(now, 'reasoning', event.text) : now), activity: THINKING }
    case 'tool-call': {
      const { id, name, input } = event
      const called = addBlock(now, { kind: 'tool', id, name, input, output: null, isError: false, isTruncated: false })
      return { ...called, turn: grow(called, null), activity: `Running ${name}…` }
    }
    case 'approval-needed':
      return { ...now, approvals: [...now.approvals, event], activity: null }
    case 'approval-settled':
      return settleApproval(now, event, isVerbose)
    case 'tool-result':
      return { ...fillTool(now, event), activity: THINKING }
    case 'flush-started':
      return { ...now, activity: 'Saving what must last…' }
    case 'flush-completed':
      return { ...now, activity: idleActivity(now) }
    case 'compact-started':
      return { ...now, activity: COMPACTING, isManualCompaction: event.reason === 'manual' }
    case 'compact-completed':
      return endCompaction(now, event, isVerbose)
    case 'context-trimmed':
      return addNotice(now, 'warning', event.message)
    case 'context-warning':
      return addNotice(now, 'warning', describeEvent(event, isVerbose) ?? '')
    case 'retry':
      return { ...now, activity: describeEvent(event, isVerbose) }
    case 'response-complete':
      return complete(now, event.text)
    case 'error': {
      const told = addNotice(now, 'error', event.message)
      return { ...told, activity: null, turn: told.turn === null ? null : { ...told.turn, hasFailed: true } }
    }
    case 'done':
      return finish(now)
    case 'message-stored':
    case 'queued':
    case 'titled':
    case 'usage':
    case 'request-settled':
    case 'entries-added':
      return now
    default:
      return event satisfies never
  }
}

/** The first sign of a turn that waited: whatever was under way is over. */
function enterTurn(conversation: Conversation, { turnId, type }: AgentEvent): Conversation {
  if (turnId === null || type === 'message-stored' || type === 'queued' || type === 'done') return conversation
  if (conversation.turn?.id === turnId) return conversation
  const waiting = conversation.waiting.find(({ id }) => id === turnId)
  if (waiting !== undefined) return startTurn(conversation, waiting)
  return { ...conversation, turn: newTurn(turnId) }
}

/** Words go on where they began; after a tool call a new block begins. */
function addText(conversation: Conversation, kind: 'assistant' | 'reasoning', text: string): Conversation {
  const { growing } = conversation.turn ?? { growing: null }
  const block = growing?.kind === kind ? conversation.blocks[growing.index] : undefined
  if (growing !== null && block?.kind === kind)
    return putBlock(conversation, growing.index, { kind, text: block.text + text })
  const next = addBlock(conversation, { kind, text })
  return { ...next, turn: grow(next, { kind, index: conversation.blocks.length }) }
}

function grow({ turn }: Conversation, growing: NonNullable<Conversation['turn']>['growing']): Conversation['turn'] {
  return turn === null ? null : { ...turn, growing }
}

function putBlock(conversation: Conversation, index: number, block: Block): Conversation {
  return { ...conversation, blocks: conversation.blocks.with(index, block) }
}

type ToolResult = Extract<AgentEvent, { readonly type: 'tool-result' }>

function fillTool(conversation: Conversation, { id, output, isError, truncated }: ToolResult): Conversation {
  const fill = (block: Block): Block =>
    block.kind === 'tool' && block.id === id ? { ...block, output, isError, isTruncated: truncated } : block
  return { ...conversation, blocks: conversation.blocks.map(fill) }
}

type Settled = Extract<AgentEvent, { readonly type: 'approval-settled' }>

function settleApproval(conversation: Conversation, event: Settled, isVerbose: boolean): Conversation {
  const approvals = conversation.approvals.filter(({ id }) => id !== event.id)
  const next = { ...conversation, approvals, activity: event.allow ? `Running ${event.name}…` : THINKING }
  const line = describeEvent(event, isVerbose)
  return line === null ? next : addNotice(next, 'warning', line)
}

type Completed = Extract<AgentEvent, { readonly type: 'compact-completed' }>

function endCompaction(conversation: Conversation, event: Completed, isVerbose: boolean): Conversation {
  const over = { ...conversation, activity: idleActivity(conversation), isManualCompaction: false }
  const line = conversation.isManualCompaction ? null : describeCompleted(event, isVerbose)
  return line === null ? over : addNotice(over, event.didCompact ? 'good' : 'warning', line)
}

/** After work beside the reply: the model is still owed, or nothing is going on. */
function idleActivity({ turn }: Conversation): string | null {
  return turn === null || turn.isAnswered ? null : THINKING
}

/** The reply as it was stored: who came late has missed deltas. */
function complete(conversation: Conversation, text: string): Conversation {
  const { turn } = conversation
  const next = { ...conversation, activity: null, turn: turn === null ? null : { ...turn, isAnswered: true } }
  if (text === '') return next
  const block = { kind: 'assistant', text } as const
  return turn?.growing?.kind === 'assistant' ? putBlock(next, turn.growing.index, block) : addBlock(next, block)
}

/** Over without a reply and without a failure: somebody cancelled it. */
function finish(conversation: Conversation): Conversation {
  const { turn } = conversation
  const isCancelled = turn !== null && !turn.isAnswered && !turn.hasFailed
  return endTurn(isCancelled ? addNotice(conversation, 'info', 'Cancelled.') : conversation)
}
