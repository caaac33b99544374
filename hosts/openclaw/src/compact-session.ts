import { EngineError } from '@longhaul/engine'
import type { Controls } from '@longhaul/engine'
import type { HostSession } from '@longhaul/store/host'
import type { CompactAnswer, CompactCall, OpenClawMessage } from './openclaw-api.ts'

/** OpenClaw wants the conversation to be compacted: because a person asked, or because the provider refused a request. */
export async function compactSession(
  session: HostSession<OpenClawMessage>,
  call: CompactCall,
  warn: (text: string) => void,
): Promise<CompactAnswer> {
  const { abortSignal: signal } = call
  signal?.throwIfAborted()
  try {
    return await session.control((controls) => makeRoom(controls, call))
  } catch (error) {
    signal?.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof EngineError) return { ok: error.code === 'nothing-to-compact', compacted: false, reason }
    warn(`Longhaul: OpenClaw compacts by itself, because ${reason}`)
    return compactInOpenClaw(call)
  }
}

async function makeRoom(
  controls: Controls,
  { runtimeContext: { trigger } = {}, tokenBudget, customInstructions, abortSignal: signal }: CompactCall,
): Promise<CompactAnswer> {
  const tokensBefore = controls.measure().tokens ?? 0
  const isRefused = trigger === 'overflow' || trigger === 'timeout_recovery'
  if (!isRefused) {
    await controls.compact({ signal, ...(customInstructions ? { instructions: customInstructions } : {}) })
  } else if (!(await controls.refused({ signal, ...(tokenBudget ? { limitTokens: tokenBudget } : {}) }))) {
    return { ok: true, compacted: false, reason: NOTHING_LEFT }
  }
  const { tokens } = controls.measure()
  return { ok: true, compacted: true, result: { tokensBefore, ...(tokens === null ? {} : { tokensAfter: tokens }) } }
}

const NOTHING_LEFT = 'Nothing is left that could be made smaller.'

/** A part of OpenClaw that it gives to its plug-ins; nothing else of them needs the package. */
const OPENCLAW_SDK: string = 'openclaw/plugin-sdk/core'

interface OpenClawSdk {
  readonly delegateCompactionToRuntime: (call: CompactCall) => Promise<CompactAnswer>
}

/** Without its store Longhaul knows no history, and a conversation that is full must not end with that. */
async function compactInOpenClaw(call: CompactCall): Promise<CompactAnswer> {
  try {
    const { delegateCompactionToRuntime } = (await import(OPENCLAW_SDK)) as OpenClawSdk
    return await delegateCompactionToRuntime(call)
  } catch (error) {
    return { ok: false, compacted: false, reason: error instanceof Error ? error.message : String(error) }
  }
}
