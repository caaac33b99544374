import { outputText, readOutput, truncateToolOutput } from '@longhaul/engine/advanced'
import type { ToolApproval, ToolCallPart, ToolResultPart } from '@longhaul/engine/advanced'
import type { ToolOutcome } from '@longhaul/tools/port'
import { describeError } from '../agent-error.ts'
import { refuse, runWithin, whyAborted } from '../maintenance/run-within.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { isParked } from '../session/park.ts'

export interface ToolRun {
  readonly turnId: string
  readonly signal: AbortSignal
  /** Asks a person and waits. Times out to no. */
  readonly askApproval: (call: ToolCallPart, reason: string) => Promise<ToolApproval>
}

/**
 * Runs the calls of one answer side by side. The calls are stored already; each result is stored as soon as it is there,
 * so a crash loses only what had not ended. Nothing a tool does makes this throw; a store that takes no result does.
 */
export async function runTools(session: ActiveSession, calls: readonly ToolCallPart[], run: ToolRun): Promise<void> {
  if (calls.some((call) => isOfServer(session, call))) await session.refreshTools()
  const results = await Promise.allSettled(
    calls.map(async (call) => {
      const ended = await runOne(session, call, run)
      if (ended === null) return
      await storeResult(session, call, ended, run.turnId)
      await session.work.end(call.toolCallId)
    }),
  )
  // Only now: a result that came later would be stored behind the end of the turn.
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** A server that started anew may offer another tool under the same name: what is asked about must be what would run. */
function isOfServer(session: ActiveSession, { toolName }: ToolCallPart): boolean {
  return session.tools().find(({ name }) => name === toolName)?.origin?.kind === 'mcp'
}

interface EndedCall extends ToolOutcome {
  /** Where somebody had to be asked. */
  readonly approval?: ToolApproval
}

/** null: nobody has answered whether it may run, and the turn is left to its next owner, who asks again. */
async function runOne(session: ActiveSession, call: ToolCallPart, run: ToolRun): Promise<EndedCall | null> {
  const tool = session.tools().find(({ name }) => name === call.toolName)
  if (tool === undefined) return refuse(`There is no tool called ${call.toolName}. ${listTools(session)}`)
  let approval: ToolApproval | undefined
  const end = (outcome: ToolOutcome): EndedCall => (approval === undefined ? outcome : { ...outcome, approval })
  try {
    const permission = await tool.permit(call.input)
    if (permission.verdict === 'deny') return refuse(`Not allowed: ${permission.reason}`)
    if (permission.verdict === 'ask') {
      await session.work.ask(call.toolCallId)
      approval = await run.askApproval(call, permission.reason)
      if (isParked(run.signal)) return null
    }
    if (run.signal.aborted) return end(refuse(`Not run: ${whyAborted(run.signal)}.`))
    if (approval?.allow === false) return end(refuse('Not run: the user did not allow it.'))
    // One that an owner before had asked about may be free by now: from here on it may have run all the same.
    await session.work.begin(call.toolCallId)
    const { output, isError, isReceipt } = await runWithin(session, tool, call, {
      signal: run.signal,
      seen: session.context(),
      ...(permission.verdict === 'ask' ? { isApproved: true, approvedReason: permission.reason } : {}),
    })
    return end({ output: readOutput(output), isError: isError === true, isReceipt: isReceipt === true })
  } catch (error) {
    return end(refuse(describeError(error)))
  }
}

function listTools(session: ActiveSession): string {
  const names = session.tools().map(({ name }) => name)
  return names.length === 0 ? 'There are none in this session.' : `There are: ${names.join(', ')}.`
}

/** Cut before it is stored; the whole of it goes to an artifact where the policy says so. */
async function storeResult(
  session: ActiveSession,
  call: ToolCallPart,
  { output, isError = false, isReceipt = false, approval }: EndedCall,
  turnId: string,
): Promise<void> {
  const { toolResults } = session.policy()
  const maxChars = session.limits()?.toolResultMaxChars ?? toolResults.maxChars
  const policy = { maxChars, keep: toolResults.keep }
  let cut = truncateToolOutput(output, policy)
  let artifactId: string | null = null
  if (cut.truncated && toolResults.artifacts) {
    artifactId = await storeArtifact(session, outputText(output))
    if (artifactId !== null) cut = truncateToolOutput(output, { ...policy, artifactId })
  }
  const part: ToolResultPart = {
    type: 'tool-result',
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    output: cut.output,
    ...(isError ? { isError } : {}),
    ...(isReceipt ? { isReceipt } : {}),
    ...(artifactId === null ? {} : { artifactId }),
  }
  await session.log.append([
    { type: 'message', role: 'tool', parts: [part], ...(approval === undefined ? {} : { approval }) },
  ])
  session.events.emit(turnId, {
    type: 'tool-result',
    id: call.toolCallId,
    name: call.toolName,
    output: outputText(cut.output),
    truncated: cut.truncated,
    isError,
  })
}

async function storeArtifact(session: ActiveSession, content: string): Promise<string | null> {
  const { store, now, log } = session.agent
  try {
    return (await store.artifacts.put({ sessionId: session.id, at: now(), content })).id
  } catch (error) {
    log({ level: 'warn', event: 'artifact-lost', message: `The full output was not kept: ${String(error)}` })
    return null
  }
}
