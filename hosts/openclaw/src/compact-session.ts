import { EngineError } from '@longhaul/engine'
import type { HostSession } from '@longhaul/store/host'
import type { CompactAnswer, CompactCall, OpenClawMessage } from './openclaw-api.ts'

/** OpenClaw wants the conversation to be compacted: because a person asked, or because the provider refused a request. */
export async function compactSession(
  session: HostSession<OpenClawMessage>,
  { runtimeContext, tokenBudget, customInstructions, abortSignal: signal }: CompactCall,
): Promise<CompactAnswer> {
  signal?.throwIfAborted()
  const isRefused = runtimeContext?.trigger === 'overflow' || runtimeContext?.trigger === 'timeout_recovery'
  try {
    return await session.control(async (controls) => {
      const tokensBefore = controls.measure().tokens ?? 0
      if (!isRefused) {
        await controls.compact({ signal, ...(customInstructions ? { instructions: customInstructions } : {}) })
      } else if (!(await controls.refused({ signal, ...(tokenBudget ? { limitTokens: tokenBudget } : {}) }))) {
        return { ok: true, compacted: false, reason: NOTHING_LEFT }
      }
      const { tokens } = controls.measure()
      return {
        ok: true,
        compacted: true,
        result: { tokensBefore, ...(tokens === null ? {} : { tokensAfter: tokens }) },
      }
    })
  } catch (error) {
    signal?.throwIfAborted()
    const ok = error instanceof EngineError && error.code === 'nothing-to-compact'
    return { ok, compacted: false, reason: error instanceof Error ? error.message : String(error) }
  }
}

const NOTHING_LEFT = 'Nothing is left that could be made smaller.'
