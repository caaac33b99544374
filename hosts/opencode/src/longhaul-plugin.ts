import type { Ask } from '@longhaul/engine'
import { isRecord } from '@longhaul/engine/advanced'
import { findOverflow } from '@longhaul/models/overflow'
import { RECALL_TOOL, openHostSession } from '@longhaul/store/host'
import type { HostSession } from '@longhaul/store/host'
import { createAsk } from './create-ask.ts'
import type { SummaryCalls } from './create-ask.ts'
import { createWindows, nameModel } from './find-window.ts'
import { createMessageCodec, isAdded } from './message-codec.ts'
import type { HostEvent, Hooks, Item, ItemInfo, ModelName, PluginInput } from './opencode-api.ts'
import { findDefaultStore } from './plugin-options.ts'
import type { LonghaulPluginOptions } from './plugin-options.ts'
import { readUsage } from './read-usage.ts'
import { joinUnits, splitItems } from './split-items.ts'
import type { Unit } from './split-items.ts'

/** One conversation of opencode. */
interface Talk {
  readonly session: HostSession<Unit>
  /** The list that opencode was given last. */
  sent: readonly Item[]
  /** The newest answer whose bill was read. */
  billed: string
  /** opencode's own compaction: about to hand over the messages to summarize, or under way. */
  compaction: 'starting' | 'running' | null
}

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
    const place = { origin: 'opencode', sessionId, store: store ?? undefined }
    const session = openHostSession<Unit>({ ...place, codec: createMessageCodec(sessionId), policy, warn })
    const talk: Talk = { session, sent: [], billed: '', compaction: null }
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
    const talk = talkOf(sessionID)
    if (talk.compaction === 'starting') {
      talk.compaction = 'running'
      messages.splice(0, messages.length, ...keepHead(messages, talk.sent))
      return
    }
    talk.compaction = null
    const around = { model: nameModel(model), windowTokens: await windows.find(model), ...askFor(sessionID, model) }
    talk.sent = joinUnits(await talk.session.sync(splitItems(messages), around))
    messages.splice(0, messages.length, ...talk.sent)
  }

  function bill(info: ItemInfo): void {
    const talk = talks.get(info.sessionID)
    const usage = readUsage(info)
    const isAnswer = info.role === 'assistant' && info.finish !== undefined && info.summary !== true
    if (!isAnswer || talk === undefined || usage === null || talk.billed === info.id) return
    talk.billed = info.id
    talk.session.bill(usage)
  }

  async function hear({ type, properties }: HostEvent): Promise<void> {
    if (!isRecord(properties)) return
    const { info, sessionID, error } = properties
    if (type === 'message.updated') bill(info as ItemInfo)
    if (type === 'session.deleted') talks.delete((info as ItemInfo).id)
    const talk = talks.get(String(sessionID))
    if (type !== 'session.error' || talk === undefined || talk.compaction !== null || !isRecord(error)) return
    const overflow = findOverflow(error['data']) ?? (error['name'] === 'ContextOverflowError' ? {} : null)
    if (overflow !== null) await talk.session.refused(overflow)
  }

  return {
    config: async (config) => windows.configure(config),
    event: ({ event }) => hear(event),
    async dispose() {
      await Promise.all([...talks.values()].map(({ session }) => session.close()))
    },
    tool: {
      [RECALL_TOOL.name]: {
        description: RECALL_TOOL.description,
        args: RECALL_TOOL.inputSchema.properties,
        execute: ({ query }, { sessionID }) => talkOf(sessionID).session.recall(String(query)),
      },
    },
    async 'chat.params'({ sessionID, model }, output) {
      windows.note(model)
      const call = calls.get(sessionID)
      if (call !== undefined) output.maxOutputTokens = call.maxOutputTokens
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
    async 'experimental.session.compacting'({ sessionID }) {
      talkOf(sessionID).compaction = 'starting'
    },
  }
}

/** What opencode wants to summarize, in the form in which it was sent last: with Longhaul's summary, and short enough. */
function keepHead(head: readonly Item[], sent: readonly Item[]): readonly Item[] {
  const wanted = new Set(head.map(({ info }) => info.id))
  const kept = sent.filter((item) => isAdded(item) || wanted.has(item.info.id))
  const known = new Set(sent.map(({ info }) => info.id))
  const last = head.findLastIndex(({ info }) => known.has(info.id))
  // Nothing of it was sent any more: the summary stands for all of it.
  if (last < 0) return kept.length > 0 ? kept : head
  return [...kept, ...head.slice(last + 1)]
}
