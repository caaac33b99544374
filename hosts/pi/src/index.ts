import { EngineError } from '@longhaul/engine'
import { findOverflow } from '@longhaul/models/overflow'
import { RECALL_TOOL, describeContext } from '@longhaul/store/host'
import { answerCompaction } from './answer-compaction.ts'
import { readUsage } from './ask-pi.ts'
import { describeCall, openPiSession, tellUser } from './open-pi-session.ts'
import type { PiContext, PiExtensionApi } from './pi-api.ts'
import { restoreHistory } from './restore-history.ts'

/**
 * Longhaul as an extension of pi.
 *
 * @example
 * // in ~/.pi/agent/settings.json
 * { "packages": ["npm:@longhaul/pi"] }
 */
export default function longhaul(pi: PiExtensionApi): void {
  pi.on('context', async ({ messages }, context) => {
    const history = restoreHistory(messages, context.sessionManager.getBranch())
    const sent = await openPiSession(context).sync(history, {
      ...describeCall(pi, context),
      ...(context.signal === undefined ? {} : { signal: context.signal }),
    })
    // If Longhaul cannot help, pi's own list is sent, with pi's own summary of it.
    return { messages: sent === history ? messages : [...sent] }
  })
  /** Set while the last request stands refused as too long: whether the next one will be smaller. */
  let hasMadeRoom = false
  pi.on('message_end', async ({ message }, context) => {
    const { role, usage, stopReason, errorMessage } = message
    if (role !== 'assistant') return
    const refusal = stopReason === 'error' ? findOverflow(errorMessage) : null
    hasMadeRoom = refusal !== null && (await openPiSession(context).refused(refusal))
    const isBilled = stopReason !== 'error' && stopReason !== 'aborted'
    if (isBilled && usage !== undefined) openPiSession(context).bill(readUsage(usage))
  })
  pi.on('session_before_compact', (event, context) =>
    answerCompaction(openPiSession(context), event, describeCall(pi, context), hasMadeRoom),
  )
  pi.on('session_shutdown', async (_event, context) => {
    const session = openPiSession(context)
    // Nobody waits at a closing terminal for a summary; programs wait a few seconds.
    if (context.mode === 'tui') await session.control((controls) => controls.stop()).catch(() => undefined)
    await session.close()
  })
  pi.registerCommand('context', {
    description: 'Show how full the context is and what was summarized',
    handler: (_words, context) => answer(context, (session) => session.control(describeContext)),
  })
  pi.registerCommand('undo-compaction', {
    description: 'Bring back the messages that the last compaction summarized',
    handler: (_words, context) =>
      answer(context, async (session) => {
        await session.control((controls) => controls.undo())
        return 'The last compaction is taken back: the next request holds the messages themselves.'
      }),
  })
  pi.registerTool({
    name: RECALL_TOOL.name,
    label: 'Recall',
    description: RECALL_TOOL.description,
    promptSnippet: 'Find earlier messages of this conversation that are no longer in view',
    parameters: RECALL_TOOL.inputSchema,
    async execute(_id, input, _signal, _onUpdate, context) {
      const { query } = input as { readonly query: string }
      return { content: [{ type: 'text', text: await openPiSession(context).recall(query) }], details: undefined }
    },
  })
}

async function answer(
  context: PiContext,
  act: (session: ReturnType<typeof openPiSession>) => Promise<string>,
): Promise<void> {
  try {
    tellUser(context, await act(openPiSession(context)), 'info')
  } catch (error) {
    const isRefusal = error instanceof EngineError
    tellUser(
      context,
      isRefusal ? error.message : `Longhaul has no view of this conversation: ${String(error)}`,
      'warning',
    )
  }
}
