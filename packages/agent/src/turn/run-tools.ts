import { outputText, truncateToolOutput } from '@longhaul/engine'
import type { ToolCallPart, ToolResultPart } from '@longhaul/engine'
import type { Tool, ToolOutcome } from '@longhaul/tools/port'
import type { ActiveSession } from '../session/active-session.ts'

export interface ToolRun {
  readonly turnId: string
  readonly signal: AbortSignal
  /** Asks a person and waits; true is yes. Times out to no. */
  readonly askApproval: (call: ToolCallPart, reason: string) => Promise<boolean>
}

/**
 * Runs the calls of one answer side by side. The calls are stored already; each result is stored as soon as it is there,
 * so a crash loses only what had not ended. Nothing a tool does makes this throw.
 */
export async function runTools(session: ActiveSession, calls: readonly ToolCallPart[], run: ToolRun): Promise<void> {
  let stored = Promise.resolve()
  const results = calls.map(async (call) => {
    const outcome = await runOne(session, call, run)
    // One append at a time: the transcript has one writer.
    stored = stored.then(() => storeResult(session, call, outcome, run.turnId))
    await stored
  })
  await Promise.all(results)
}

async function runOne(session: ActiveSession, call: ToolCallPart, run: ToolRun): Promise<ToolOutcome> {
  const tool = session.tools().find(({ name }) => name === call.toolName)
  if (tool === undefined) return refuse(`There is no tool called ${call.toolName}. ${listTools(session)}`)
  if (run.signal.aborted) return refuse('Not run: the user cancelled.')
  try {
    const permission = tool.permit(call.input)
    if (permission.verdict === 'deny') return refuse(`Not allowed: ${permission.reason}`)
    if (permission.verdict === 'ask' && !(await run.askApproval(call, permission.reason))) {
      return refuse('Not run: the user did not allow it.')
    }
    return await runWithin(session, tool, call, run.signal)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

async function runWithin(
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
            ? 'Stopped: the user cancelled. What it had done by then is unknown.'
            : `Stopped after ${Math.round(toolTimeoutMs / 1000)} s. What it had done by then is unknown.`,
        ),
      )
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  // A tool that does not listen to its signal must not hold the turn.
  return Promise.race([tool.run(call.input, { sessionId: session.id, toolCallId: call.toolCallId, signal }), stopped])
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
