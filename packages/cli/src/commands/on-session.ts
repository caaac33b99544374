import { runCommand } from '@longhaul/runtime'
import type { CommandContext, CommandResult, Runtime } from '@longhaul/runtime'
import { renderResult } from '../cards/render-result.ts'
import { report } from '../program/invocation.ts'
import type { Invocation } from '../program/invocation.ts'
import { findSession } from '../system/find-session.ts'
import { withRuntime } from '../system/open-system.ts'
import { countTurnsSinceCompaction } from '../system/count-turns.ts'
import { askFor } from '../terminal/ask.ts'
import { formatCount } from '../terminal/format.ts'

/**
 * `status`, `context`, `compact`, `undo` and `recall` do what the slash commands do. A session that another process has
 * open is worked on by that process: the wish goes through the inbox, the outcome comes back as an event.
 */
export async function runOnSession(invocation: Invocation, wanted: string, line: string): Promise<void> {
  await withRuntime(invocation, async (runtime) => {
    const { id } = await findSession(runtime.store, wanted)
    const result = await runCommand(line, toContext(runtime, id, invocation.signal))
    report(invocation, toJson(result), () => renderResult(result, invocation.output))
  })
}

export interface UndoOptions {
  readonly yes?: true
}

/** Asks first if the conversation has gone on since: its words stay, but the model sees them after other ones. */
export async function runUndo(invocation: Invocation, wanted: string, { yes }: UndoOptions): Promise<void> {
  await withRuntime(invocation, async (runtime) => {
    const session = await findSession(runtime.store, wanted)
    const turns = await countTurnsSinceCompaction(runtime.store, session)
    const question = `${formatCount(turns, 'turn')} followed the last compaction. Undo it all the same?`
    if (turns > 0 && yes !== true && !(await askFor(question, '--yes'))) return
    const result = await runCommand('/undo', toContext(runtime, session.id, invocation.signal))
    report(invocation, toJson(result), () => renderResult(result, invocation.output))
  })
}

function toContext({ agent, store, models, memory }: Runtime, sessionId: string, signal: AbortSignal): CommandContext {
  return { agent, store, models, memory, sessionId, signal }
}

/** The thing itself where there is one; else what was done, without its name. */
function toJson(result: CommandResult): unknown {
  if (result.command === 'status') return result.status
  if (result.command === 'context') return result.report
  const { command: _command, ...rest } = result
  return rest
}
