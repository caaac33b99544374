import { isRecord, textOf } from '@longhaul/engine/advanced'
import { RECALL_TOOL } from '@longhaul/store/host'
import type { HostSession } from '@longhaul/store/host'
import { createTool } from '@mastra/core/tools'
import type { PromptMessage } from './prompt-codec.ts'

/** A tool with which the agent's model finds messages of its conversation that are no longer in view. */
export function createRecallTool(open: (threadId: string | undefined) => HostSession<PromptMessage> | null) {
  return createTool({
    id: RECALL_TOOL.name,
    description: RECALL_TOOL.description,
    inputSchema: SCHEMA,
    async execute(input, { agent }) {
      const session = open(agent?.threadId)
      return session === null
        ? 'Nothing is kept of this conversation.'
        : session.recall(isRecord(input) ? textOf(input['query']) : '')
    },
  })
}

/** Mastra's type for it has lists that can be changed. */
const SCHEMA = { ...RECALL_TOOL.inputSchema, required: [...RECALL_TOOL.inputSchema.required] }
