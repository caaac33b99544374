import { guardWindow, resolveWindow } from '@longhaul/engine/advanced'
import type { ContextPolicy, JsonObject } from '@longhaul/engine/advanced'
import type { NewSession, SessionRecord } from '@longhaul/store/port'
import { AgentError } from '../agent-error.ts'
import type { SessionSettings } from '../port/agent-options.ts'
import type { ResolvedOptions } from './active-session.ts'
import type { EntryDraft } from './session-log.ts'
import { describeRefused } from './wider-wish.ts'

export interface NewSessionInput {
  readonly id?: string
  readonly title?: string
  readonly model?: string
  readonly preset?: string
  readonly agent?: string
  readonly policy?: JsonObject
}

/** Refused where the preset needs a larger window than the model has: only here, never for a session that exists. */
export function planSession(agent: ResolvedOptions, input: NewSessionInput): NewSession {
  const { models, now, createId } = agent
  const id = input.id ?? createId()
  const settings = settingsOf(input, id)
  const policy = readPolicy(agent, settings)
  const model = input.model ?? agent.defaultModelFor(settings)
  if (!models.describe(model).available) {
    throw new AgentError('invalid-request', `${model} cannot be used: its provider is not configured.`)
  }
  const guard = guardWindow(resolveWindow(models.windowOf(model), policy), policy)
  if (guard.verdict === 'refuse') throw new AgentError('window-too-small', guard.message ?? 'The window is too small.')
  if (guard.verdict === 'warn')
    agent.log({ level: 'warn', event: 'small-window', message: guard.message ?? '', sessionId: id })
  const { title, preset } = input
  const drafts: EntryDraft[] = [
    { type: 'model-change', model },
    {
      type: 'settings',
      ...(title === undefined ? {} : { title }),
      ...(preset === undefined ? {} : { preset }),
      ...(input.policy === undefined ? {} : { policy: input.policy }),
    },
  ]
  return {
    id,
    createdAt: now(),
    header: input.agent === undefined ? {} : { agent: input.agent },
    entries: drafts.map((draft, index) => ({ id: createId(), ...draft, seq: index + 1, at: now() })),
  }
}

/**
 * A session as a client asks for it: one that asks for more than the owner set is refused. What a session takes over from
 * another one was not asked for now, and is lowered instead.
 */
export function planWished(agent: ResolvedOptions, input: NewSessionInput): NewSession {
  const planned = planSession(agent, input)
  const wider = agent.findWider(settingsOf(input, planned.id))
  if (wider.length > 0) throw new AgentError('forbidden', describeRefused(wider))
  return planned
}

function settingsOf({ agent, preset, policy }: NewSessionInput, sessionId: string): SessionSettings {
  return { sessionId, agent: agent ?? null, preset: preset ?? null, policy: policy ?? null }
}

function readPolicy(agent: ResolvedOptions, settings: SessionSettings): ContextPolicy {
  try {
    return agent.policyFor(settings)
  } catch (cause) {
    throw new AgentError('invalid-request', cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** What a fresh session takes over from another. */
export function inheritSettings({ header, head }: SessionRecord): NewSessionInput {
  const { preset, policy } = head.settings
  return {
    ...(head.model === null ? {} : { model: head.model }),
    ...(preset === undefined ? {} : { preset }),
    ...(policy === undefined ? {} : { policy }),
    ...(typeof header['agent'] === 'string' ? { agent: header['agent'] } : {}),
  }
}
