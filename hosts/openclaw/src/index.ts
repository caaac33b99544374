import { RECALL_TOOL, openHostSession } from '@longhaul/store/host'
import { ENGINE_ID, createEngine, identify } from './create-engine.ts'
import type { OpenClawApi, OpenClawTool, SessionName } from './openclaw-api.ts'
import { readConfig } from './read-config.ts'
import type { LonghaulConfig } from './read-config.ts'

/** The plug-in, as OpenClaw loads it. */
export default {
  id: ENGINE_ID,
  name: 'Longhaul',
  description: 'Keeps long conversations within the window of the model',
  register(api: OpenClawApi): void {
    const config = readConfig(api)
    const warn = (text: string): void => api.logger.warn(text)
    api.registerContextEngine(ENGINE_ID, () => createEngine({ config, llm: api.runtime.llm, warn }))
    const { name } = RECALL_TOOL
    api.registerTool(
      ({ sessionId, sessionKey }) => (sessionId === undefined ? null : createRecall({ sessionId, sessionKey }, config)),
      { name },
    )
  },
}

function createRecall(session: SessionName, config: LonghaulConfig): OpenClawTool {
  const { name, description, inputSchema } = RECALL_TOOL
  return {
    name,
    label: 'Recall',
    description,
    parameters: inputSchema,
    catalogMode: 'direct-only',
    async execute(_id, { query }) {
      const text = await openHostSession(identify(session, config)).recall(query)
      return { content: [{ type: 'text', text }], details: {} }
    },
  }
}
