import type { Ask } from '@longhaul/engine'
import { RECALL_TOOL } from '@longhaul/store/host'
import { createAsk } from './create-ask.ts'
import type { SummaryCalls } from './create-ask.ts'
import { createTalk } from './create-talk.ts'
import type { Talk } from './create-talk.ts'
import { createWindows, nameModel } from './find-window.ts'
import type { EventFields, Hooks, Item, ModelName, PluginInput } from './opencode-api.ts'
import { findDefaultStore } from './plugin-options.ts'
import type { LonghaulPluginOptions } from './plugin-options.ts'

/** Keeps each conversation of opencode small enough for its model. opencode's own history stays as it is. */
export async function longhaulPlugin({ client }: PluginInput, options: LonghaulPluginOptions = {}): Promise<Hooks> {
  const { store = findDefaultStore(process.env), policy, summaries } = options
  const windows = createWindows(client)
  const calls: SummaryCalls = new Map()
  const talks = new Map<string, Talk>()

  /** The terminal belongs to opencode's own screen, so that nothing can be printed. */
  function warn(message: string): void {
    void client.app.log({ body: { service: 'longhaul', level: 'warn', message } }).catch(() => undefined)
    void client.tui.showToast({ body: { message, variant: 'warning' } }).catch(() => undefined)
  }

  function talkOf(sessionId: string): Talk {
    const found = talks.get(sessionId)
    if (found !== undefined) return found
    const talk = createTalk({ sessionId, store: store ?? undefined, policy, warn })
    talks.set(sessionId, talk)
    return talk
  }

  function askFor(sessionID: string, own: ModelName): { readonly ask?: Ask } {
    if (summaries === 'code') return {}
    const [providerID = '', ...rest] = (summaries ?? nameModel(own)).split('/')
    return { ask: createAsk({ client, calls, sessionID, model: { providerID, modelID: rest.join('/') } }) }
  }

  async function transform(messages: Item[]): Promise<void> {
    const sessionID = messages[0]?.info.sessionID
    const model = messages.findLast(({ info }) => info.role === 'user')?.info.model
    if (sessionID === undefined || model === undefined || calls.has(sessionID)) return
    const around = { model: nameModel(model), windowTokens: await windows.find(model), ...askFor(sessionID, model) }
    const sent = await talkOf(sessionID).prepare(messages, around)
    messages.splice(0, messages.length, ...sent)
  }

  return {
    config: async (config) => windows.configure(config),
    async event({ event: { type, properties } }) {
      const { info, sessionID = info?.sessionID, error } = properties as EventFields
      const talk = talks.get(sessionID ?? '')
      if (type === 'message.updated' && info !== undefined) talk?.bill(info)
      if (type === 'session.error') await talk?.fail(error)
      if (type === 'session.deleted') talks.delete(info?.id ?? '')
    },
    async dispose() {
      await Promise.all([...talks.values()].map((talk) => talk.close()))
    },
    tool: {
      [RECALL_TOOL.name]: {
        description: RECALL_TOOL.description,
        args: RECALL_TOOL.inputSchema.properties,
        execute: ({ query }, { sessionID }) => talkOf(sessionID).recall(String(query)),
      },
    },
    async 'chat.params'({ sessionID, model }, output) {
      windows.note(model)
      output.maxOutputTokens = calls.get(sessionID)?.maxOutputTokens ?? output.maxOutputTokens
    },
    async 'experimental.chat.messages.transform'(_, { messages }) {
      try {
        await transform(messages)
      } catch (error) {
        // Whatever a plug-in throws here would end the turn.
        warn(`Longhaul: the messages are sent as they are, because ${String(error)}`)
      }
    },
    async 'experimental.chat.system.transform'({ sessionID }, { system }) {
      const call = calls.get(sessionID ?? '')
      if (call !== undefined) system.splice(0, system.length, call.system)
    },
    'experimental.session.compacting': async ({ sessionID }) => talkOf(sessionID).startCompaction(),
  }
}
