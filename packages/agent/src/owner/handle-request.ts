import { NOTHING_TO_COMPACT, describeUndoRefusal, foldEntry, readGauge } from '@longhaul/engine/advanced'
import type { JsonObject } from '@longhaul/engine/advanced'
import type { InboxItem } from '@longhaul/store/port'
import { describeError, isLeaseLost, toAgentError } from '../agent-error.ts'
import { findOverspent } from '../maintenance/budget.ts'
import type { Maintenance } from '../maintenance/create-maintenance.ts'
import type { AgentErrorCode, RequestOutcome } from '../port/agent-event.ts'
import { isParked } from '../session/park.ts'
import { settleItems } from '../session/active-session.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { isEmpty } from '../session/list-messages.ts'
import type { EntryDraft } from '../session/session-log.ts'
import { findPinProblem } from '../session/find-pin-problem.ts'
import { planWholeUndo } from '../session/plan-whole-undo.ts'
import { describeStored } from '../session/stored-outcome.ts'
import { describeRefused } from '../session/wider-wish.ts'

/**
 * Carries out what the user asked of the session other than a turn, between turns. Whatever comes of it is told by an
 * event, so that the asker hears it on whichever server they are.
 */
export async function handleRequest(maintenance: Maintenance, item: InboxItem, signal: AbortSignal): Promise<void> {
  const { session } = maintenance
  let outcome: RequestOutcome
  try {
    outcome = await carryOut(maintenance, item, signal)
  } catch (error) {
    // Another owner has the session: what was asked is theirs to do.
    if (isLeaseLost(error)) throw error
    session.agent.log({ level: 'error', event: 'request-failed', message: describeError(error), kind: item.kind })
    const { code, message } = toAgentError(error)
    outcome = refuse(code, message)
  }
  // It stays in the inbox, for the next owner.
  if (!outcome.ok && isParked(signal)) return
  // What was done was settled by its entry.
  if (!outcome.ok || item.kind === 'flush') await settleItems(session, [item.id])
  session.events.emit(null, { type: 'request-settled', id: item.id, outcome })
}

async function carryOut(maintenance: Maintenance, item: InboxItem, signal: AbortSignal): Promise<RequestOutcome> {
  const { session } = maintenance
  switch (item.kind) {
    case 'compact':
      return compact(maintenance, item, signal)
    case 'undo':
      return undo(maintenance, item)
    case 'flush':
      await maintenance.driver.flush()
      return done({})
    case 'reset':
      return reset(maintenance, item)
    case 'pin':
      return pin(session, item)
    case 'unpin':
      return unpin(session, item)
    case 'settings':
      return change(session, item)
    case 'model':
      return switchModel(session, item)
    case 'message':
    case 'approval':
    case 'cancel':
      return refuse('invalid-request', `${item.kind} is not for the time between turns.`)
    default:
      return item.kind satisfies never
  }
}

async function compact(maintenance: Maintenance, item: InboxItem, signal: AbortSignal): Promise<RequestOutcome> {
  const { session } = maintenance
  const overspent = findOverspent(session)
  if (overspent !== null) return refuse('budget-exhausted', overspent)
  const { instructions: words } = item.payload
  const instructions = typeof words === 'string' ? words : undefined
  const result = await maintenance.driver.compact({ instructions, requestId: item.id, signal })
  if ('nothing' in result) return refuse('nothing-to-compact', NOTHING[result.nothing])
  if (result.didCompact || result.fallback !== null) return findStored(session, item)
  if (signal.aborted) return refuse('busy', 'It was cancelled; nothing has changed. Ask again if you still want it.')
  return refuse('nothing-to-compact', 'No summary could be made that is smaller than what it would replace.')
}

const NOTHING = {
  ...NOTHING_TO_COMPACT,
  'window-unknown': 'The model’s window is unknown, so there is no measure for a compaction. Set contextWindow for it.',
} as const

async function findStored({ agent, id }: ActiveSession, item: InboxItem): Promise<RequestOutcome> {
  const entry = await agent.store.entries.find(id, item.id)
  return entry === null ? done({}) : describeStored(entry)
}

async function undo({ session }: Maintenance, item: InboxItem): Promise<RequestOutcome> {
  const plan = await planWholeUndo(session)
  if (plan.action === 'load') return refuse('nothing-to-undo', 'The messages it covered cannot be read.')
  if (plan.action === 'refuse') return refuse(plan.reason, describeUndoRefusal(plan, session.limits()))
  const undone = plan.undone.map((compaction) => ({ type: 'compaction-undone', compaction }) as const)
  await session.log.append(undone, { settles: [item.id] })
  await session.refreshEnvironment()
  return done({ undone: [...plan.undone], tokens: readGauge(session.context()).tokens })
}

async function reset({ session, driver }: Maintenance, item: InboxItem): Promise<RequestOutcome> {
  if (isEmpty(session.log.state())) return refuse('nothing-to-compact', 'There is nothing to clear: no messages yet.')
  // From a copy of the conversation: nobody waits for it.
  void driver.flush()
  const outcome = await write(session, item, { type: 'reset' })
  await session.refreshEnvironment()
  return outcome
}

async function pin(session: ActiveSession, item: InboxItem): Promise<RequestOutcome> {
  const problem = findPinProblem(session.context(), item)
  if (problem !== null) return { ok: false, ...problem }
  return write(session, item, { type: 'pin', text: String(item.payload['text'] ?? '').trim() })
}

async function unpin(session: ActiveSession, item: InboxItem): Promise<RequestOutcome> {
  const problem = findPinProblem(session.context(), item)
  if (problem !== null) return { ok: false, ...problem }
  return write(session, item, { type: 'unpin', pin: String(item.payload['pin'] ?? '') })
}

async function change(session: ActiveSession, item: InboxItem): Promise<RequestOutcome> {
  const { title, preset, policy } = item.payload
  const entry: Extract<EntryDraft, { type: 'settings' }> = {
    type: 'settings',
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof preset === 'string' ? { preset } : {}),
    ...(typeof policy === 'object' && policy !== null && !Array.isArray(policy)
      ? { policy: policy as JsonObject }
      : {}),
  }
  if (Object.keys(entry).length === 1) {
    return refuse('invalid-request', 'Say a title or a preset (texts), or a policy (an object).')
  }
  const problem = findSettingsProblem(session, entry)
  if (problem !== null) return refuse('invalid-request', problem)
  // Only what is asked for now: words that were stored before are lowered, and must not stand in the way of a new title.
  const wider = session.agent.findWider({ ...session.settings(), policy: entry.policy ?? null })
  if (wider.length > 0) return refuse('forbidden', describeRefused(wider))
  const outcome = await write(session, item, entry)
  // Another policy may offer other tools.
  await session.refreshEnvironment()
  return outcome
}

/** Looked at before it is stored: settings that do not hold would be passed over in every later turn. */
function findSettingsProblem(
  { agent, log, settings }: ActiveSession,
  entry: Extract<EntryDraft, { type: 'settings' }>,
): string | null {
  const { head } = foldEntry(log.state(), { id: 'wished', at: 0, ...entry, seq: log.state().head.lastSeq + 1 })
  const { preset = null, policy = null } = head.settings
  try {
    agent.policyFor({ ...settings(), preset, policy })
    return null
  } catch (error) {
    return describeError(error)
  }
}

async function switchModel(session: ActiveSession, item: InboxItem): Promise<RequestOutcome> {
  const model = String(item.payload['model'] ?? '')
  if (!session.agent.models.describe(model).available) {
    return refuse('invalid-request', `${model} cannot be used: its provider is not configured.`)
  }
  const outcome = await write(session, item, { type: 'model-change', model })
  await session.learning.load()
  // Choosing a model anew is also how a limit learnt of it long ago is cleared.
  await session.learning.forgetWindow()
  await session.refreshEnvironment()
  return outcome
}

async function write(session: ActiveSession, { id }: InboxItem, entry: EntryDraft): Promise<RequestOutcome> {
  await session.log.append([entry], { answers: id })
  return done({ id })
}

function done(result: JsonObject): RequestOutcome {
  return { ok: true, result }
}

function refuse(code: AgentErrorCode, message: string): RequestOutcome {
  return { ok: false, code, message }
}
