import { outputText, readOutput, truncateToolOutput } from '@longhaul/engine'
import type { ToolCallPart, ToolResultPart } from '@longhaul/engine'
import type { Tool, ToolOutcome } from '@longhaul/tools/port'
import { describeError } from '../agent-error.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { isParked } from './park.ts'

export interface ToolRun {
  readonly turnId: string
  readonly signal: AbortSignal
  /** Asks a person and waits; true is yes. Times out to no. */
  readonly askApproval: (call: ToolCallPart, reason: string) => Promise<boolean>
}

/**
 * Runs the calls of one answer side by side. The calls are stored already; each result is stored as soon as it is there,
 * so a crash loses only what had not ended. Nothing a tool does makes this throw; a store that takes no result does.
 */
export async function runTools(session: ActiveSession, calls: readonly ToolCallPart[], run: ToolRun): Promise<void> {
  const results = await Promise.allSettled(
    calls.map(async (call) => {
      const outcome = await runOne(session, call, run)
      await storeResult(session, call, outcome, run.turnId)
    }),
  )
  // Only now: a result that came later would be stored behind the end of the turn.
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function runOne(session: ActiveSession, call: ToolCallPart, run: ToolRun): Promise<ToolOutcome> {
  const tool = session.tools().find(({ name }) => name === call.toolName)
  if (tool === undefined) return refuse(`There is no tool called ${call.toolName}. ${listTools(session)}`)
  try {
    const permission = tool.permit(call.input)
    if (permission.verdict === 'deny') return refuse(`Not allowed: ${permission.reason}`)
    const isAllowed = permission.verdict === 'allow' || (await run.askApproval(call, permission.reason))
    if (run.signal.aborted) return refuse(`Not run: ${whyAborted(run.signal)}.`)
    if (!isAllowed) return refuse('Not run: the user did not allow it.')
    const { output, isError } = await runWithin(session, tool, call, run.signal)
    return { output: readOutput(output), isError: isError === true }
  } catch (error) {
    return refuse(describeError(error))
  }
}

/** Ends with the signal and after the time for tools, whether the tool listens or not. */
export async function runWithin(
  session: ActiveSession,
  tool: Tool,
  call: ToolCallPart,
  cancelled: AbortSignal,
): Promise<ToolOutcome> {
  const { toolTimeoutMs } = session.agent
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(toolTimeoutMs)])
  const stopped = new Promise<ToolOutcome>((resolve) => {
    const stop = (): void =>
      resolve(
        refuse(
          cancelled.aborted
            ? `Stopped: ${whyAborted(cancelled)}. What it had done by then is unknown.`
            : `Stopped after ${toolTimeoutMs / 1000} s. What it had done by then is unknown.`,
        ),
      )
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([tool.run(call.input, { sessionId: session.id, toolCallId: call.toolCallId, signal }), stopped])
}

function whyAborted(signal: AbortSignal): string {
  return isParked(signal) ? 'the program was shut down' : 'the user cancelled'
}

function refuse(output: string): ToolOutcome {
  return { output, isError: true }
}

function listTools(session: ActiveSession): string {
  const names = session.tools().map(({ name }) => name)
  return names.length === 0 ? 'There are none in this session.' : `There are: ${names.join(', ')}.`
}

/** Cut before it is stored; the whole of it goes to an artifact where the policy says so. */
async function storeResult(
  session: ActiveSession,
  call: ToolCallPart,
  { output, isError = false }: ToolOutcome,
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
    ...(artifactId === null ? {} : { artifactId }),
  }
  await session.log.append([{ type: 'message', role: 'tool', parts: [part] }])
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
