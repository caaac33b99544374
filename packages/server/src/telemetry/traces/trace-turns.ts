import { SpanKind, context, trace } from '@opentelemetry/api'
import type { Context, Span } from '@opentelemetry/api'
import type { AgentEvent } from '@longhaul/runtime'
import { findTracer, markFailed } from './tracer.ts'

/** The turns of this process as spans, each with a span for every tool it used. */
export interface TurnTraces {
  see(sessionId: string, event: AgentEvent): void
  /** What a call on behalf of this session belongs to. */
  contextOf(sessionId: string | undefined): Context
}

interface TracedSession {
  /** Messages that are stored and not done with. */
  waiting: number
  turn: OpenTurn | null
}

interface OpenTurn {
  readonly span: Span
  readonly tools: Map<string, Span>
}

/** Turns that another server goes on with never end here; beyond this many the oldest are given up. */
const MAX_SESSIONS = 10_000

export function createTurnTraces(): TurnTraces {
  const sessions = new Map<string, TracedSession>()

  function follow(sessionId: string): TracedSession {
    const session = sessions.get(sessionId) ?? { waiting: 0, turn: null }
    sessions.set(sessionId, session)
    const [oldest] = sessions.keys()
    if (sessions.size > MAX_SESSIONS && oldest !== undefined) giveUp(oldest)
    return session
  }

  function giveUp(sessionId: string): void {
    endTurn(sessions.get(sessionId)?.turn ?? null)
    sessions.delete(sessionId)
  }

  function end(sessionId: string, session: TracedSession): void {
    endTurn(session.turn)
    session.turn = null
    session.waiting -= 1
    if (session.waiting <= 0) sessions.delete(sessionId)
  }

  return {
    see(sessionId, event) {
      if (event.turnId === null || event.type === 'queued') return
      const session = follow(sessionId)
      if (event.type === 'message-stored') {
        session.waiting += 1
        return
      }
      const turn = (session.turn ??= startTurn(sessionId))
      if (event.type === 'tool-call') turn.tools.set(event.id, startTool(turn, event))
      else if (event.type === 'tool-result') endTool(turn, event)
      else if (event.type === 'error') markFailed(turn.span, event.code)
      else if (event.type === 'done') end(sessionId, session)
    },
    contextOf(sessionId) {
      const session = sessions.get(sessionId ?? '')
      if (sessionId === undefined || session === undefined) return context.active()
      session.turn ??= startTurn(sessionId)
      return trace.setSpan(context.active(), session.turn.span)
    },
  }
}

function startTurn(sessionId: string): OpenTurn {
  const span = findTracer().startSpan('invoke_agent longhaul', {
    kind: SpanKind.INTERNAL,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'longhaul',
      'gen_ai.conversation.id': sessionId,
    },
  })
  return { span, tools: new Map() }
}

function endTurn(turn: OpenTurn | null): void {
  for (const tool of turn?.tools.values() ?? []) tool.end()
  turn?.span.end()
}

function startTool({ span }: OpenTurn, { id, name }: { readonly id: string; readonly name: string }): Span {
  return findTracer().startSpan(
    `execute_tool ${name}`,
    {
      kind: SpanKind.INTERNAL,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': id },
    },
    trace.setSpan(context.active(), span),
  )
}

function endTool({ tools }: OpenTurn, { id, isError }: { readonly id: string; readonly isError: boolean }): void {
  const tool = tools.get(id)
  if (tool === undefined) return
  if (isError) markFailed(tool, 'tool-failed')
  tool.end()
  tools.delete(id)
}
