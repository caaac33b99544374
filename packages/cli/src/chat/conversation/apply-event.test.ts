import type { AgentEvent, AgentEventBody } from '@longhaul/runtime'
import { describe, expect, it } from 'vitest'
import { applyEvent } from './apply-event.ts'
import { EMPTY_CONVERSATION, addMessage, addNotice } from './conversation.ts'
import type { Conversation } from './conversation.ts'

const asked = addMessage(EMPTY_CONVERSATION, { id: 't1', text: 'Hello' })

function play(start: Conversation, events: readonly AgentEvent[], isVerbose = false): Conversation {
  return events.reduce((now, event) => applyEvent(now, event, isVerbose), start)
}

const inTurn = (...bodies: readonly AgentEventBody[]): readonly AgentEvent[] =>
  bodies.map((body) => ({ turnId: 't1', ...body }))

describe('applyEvent', () => {
  it('puts deltas together, and takes the stored reply where some were missed', () => {
    const late = play(
      asked,
      inTurn({ type: 'text-delta', text: 'lo.' }, { type: 'response-complete', id: 'a', text: 'Hello.' }),
    )
    expect(late.blocks.slice(1)).toEqual([{ kind: 'assistant', text: 'Hello.' }])
    expect(late.activity).toBeNull()
  })

  it('goes on with a reply where it began, whatever was shown in between', () => {
    const half = play(asked, inTurn({ type: 'text-delta', text: 'Hel' }))
    const between = addNotice(half, 'info', 'Something else')
    const whole = play(
      between,
      inTurn({ type: 'text-delta', text: 'lo.' }, { type: 'response-complete', id: 'a', text: 'Hello.' }),
    )
    expect(whole.blocks.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'notice'])
    expect(whole.blocks[1]).toEqual({ kind: 'assistant', text: 'Hello.' })
  })

  it('keeps a queue in order: the next one begins when the turn before is over', () => {
    const queued = ['t2', 't3'].reduce((now, id) => addMessage(now, { id, text: id }), asked)
    expect(queued.waiting.map(({ id }) => id)).toEqual(['t2', 't3'])
    const next = play(queued, inTurn({ type: 'response-complete', id: 'a', text: 'Yes.' }, { type: 'done' }))
    expect(next.turn?.id).toBe('t2')
    expect(next.waiting.map(({ id }) => id)).toEqual(['t3'])
    expect(next.blocks.at(-1)).toEqual({ kind: 'user', id: 't2', text: 't2' })
  })

  it('calls a turn cancelled only if it had neither a reply nor an error', () => {
    const cancelled = play(asked, inTurn({ type: 'done' }))
    expect(cancelled.blocks.at(-1)).toMatchObject({ kind: 'notice', text: 'Cancelled.' })
    const failed = play(asked, inTurn({ type: 'error', code: 'internal', message: 'It broke.' }, { type: 'done' }))
    expect(failed.blocks.slice(1)).toEqual([{ kind: 'notice', tone: 'error', text: 'It broke.' }])
  })

  it('OPEN-20 tells of a small window in its own words, and otherwise how full the context is', () => {
    const message = 'The context window is 16000 tokens; a larger model would keep more.'
    const told = play(asked, inTurn({ type: 'context-warning', percent: 9, message }))
    expect(told.blocks.at(-1)).toEqual({ kind: 'notice', tone: 'warning', text: message })
    const full = play(asked, inTurn({ type: 'context-warning', percent: 85 }))
    expect(full.blocks.at(-1)).toMatchObject({ text: 'The context is 85% full.' })
  })

  it('ONE-14 always tells that history was trimmed; OPEN-16 tells of compactions in verbose mode', () => {
    const started = { type: 'compact-started', reason: 'threshold', tokens: 9, threshold: 8 } as const
    const completed = {
      type: 'compact-completed',
      didCompact: true,
      fallback: null,
      tokensBefore: 9_000,
      tokensAfter: 2_000,
      score: 1,
    } as const
    expect(play(asked, inTurn(started)).activity).toBe('Optimizing conversation context…')
    expect(play(asked, inTurn(started, completed)).blocks).toHaveLength(1)
    const notice = { kind: 'notice', tone: 'good', text: '🧹 Auto-compaction complete: 9,000 → 2,000 tokens' }
    expect(play(asked, inTurn(started, completed), true).blocks.at(-1)).toEqual(notice)
    const manual = inTurn({ ...started, reason: 'manual' }, completed)
    expect(play(asked, manual, true).blocks).toHaveLength(1)
    const message = 'Conversation history has been automatically trimmed'
    expect(play(asked, inTurn({ type: 'context-trimmed', message })).blocks.at(-1)).toMatchObject({ text: message })
  })
})
