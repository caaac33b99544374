import { homedir } from 'node:os'
import { join } from 'node:path'
import { toJsonObject } from '@longhaul/engine/advanced'
import { openHostSession } from '@longhaul/store/host'
import type { HostSession, HostSyncOptions } from '@longhaul/store/host'
import { askPi } from './ask-pi.ts'
import type { PiContext, PiExtensionApi, PiMessage } from './pi-api.ts'
import { piCodec } from './pi-codec.ts'

/** The session of the conversation that pi is in. */
export function openPiSession(context: PiContext): HostSession<PiMessage> {
  return openHostSession({
    origin: 'pi',
    sessionId: context.sessionManager.getSessionId(),
    codec: piCodec,
    store: findStore(),
    warn: (text) => tellUser(context, text, 'warning'),
    ...describeModel(context),
  })
}

/** Describes a call of pi beside its messages: model, window, system text and tools. */
export function describeCall(pi: PiExtensionApi, context: PiContext): HostSyncOptions {
  const active = new Set(pi.getActiveTools())
  const tools = pi.getAllTools().filter(({ name }) => active.has(name))
  return {
    ...describeModel(context),
    system: context.getSystemPrompt(),
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: toJsonObject(parameters),
    })),
  }
}

/** pi's standard output may be a protocol: where it shows nothing, a person reads the error output. */
export function tellUser({ hasUI, ui }: PiContext, text: string, type: 'info' | 'warning'): void {
  if (hasUI) ui.notify(text, type)
  else console.error(text)
}

function describeModel(context: PiContext) {
  const { model } = context
  const ask = askPi(context)
  if (model === undefined || ask === undefined) return {}
  return { model: `${model.provider}/${model.id}`, windowTokens: model.contextWindow, ask }
}

/** A file, so that a compaction can be undone tomorrow. */
function findStore(): string {
  const { LONGHAUL_STORE, PI_CODING_AGENT_DIR } = process.env
  const agentFolder = PI_CODING_AGENT_DIR?.replace(/^~(?=$|\/)/, homedir()) ?? join(homedir(), '.pi', 'agent')
  return LONGHAUL_STORE || join(agentFolder, 'longhaul.db')
}
