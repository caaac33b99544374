import type { Ask } from '@longhaul/engine'
import { readUsage } from './read-usage.ts'
import type { Client, ModelName } from './opencode-api.ts'

/** The calls for summaries that are under way, by the session that was made for each. */
export type SummaryCalls = Map<string, { readonly system: string; readonly maxOutputTokens: number }>

export interface AskOptions {
  readonly client: Client
  readonly calls: SummaryCalls
  /** The conversation that is summarized. */
  readonly sessionID: string
  readonly model: ModelName
}

const TITLE = 'Longhaul: a summary is written'

/**
 * Plug-ins have no way to a model but a session. So a summary is asked for in a child session without tools, which
 * opencode's list of sessions does not show, and which is deleted with the answer.
 */
export function createAsk({ client, calls, sessionID, model }: AskOptions): Ask {
  return async ({ system, prompt, maxOutputTokens }, signal) => {
    await deleteLeftOvers()
    const { data: child } = await client.session.create({ body: { parentID: sessionID, title: TITLE } })
    if (child === undefined) throw new Error('opencode did not make a session for the summary.')
    const path = { id: child.id }
    const stop = (): void => void client.session.abort({ path })
    calls.set(child.id, { system, maxOutputTokens })
    signal.addEventListener('abort', stop)
    try {
      const body = { model, agent: 'compaction', tools: { '*': false } as const }
      const { data } = await client.session.prompt({ path, body: { ...body, parts: [{ type: 'text', text: prompt }] } })
      if (data === undefined || data.info.error !== undefined) {
        throw new Error(`The model gave no summary: ${JSON.stringify(data?.info.error ?? null)}`)
      }
      const texts = data.parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
      const finish = data.info.finish === 'stop' || data.info.finish === 'length' ? data.info.finish : 'other'
      return { text: texts.join(''), finish, usage: readUsage(data.info) }
    } finally {
      signal.removeEventListener('abort', stop)
      await client.session.delete({ path })
      calls.delete(child.id)
    }
  }

  /** A process that was killed in the middle of a summary could not delete its session. */
  async function deleteLeftOvers(): Promise<void> {
    const { data = [] } = await client.session.children({ path: { id: sessionID } })
    const old = data.filter(({ id, title }) => title === TITLE && !calls.has(id))
    await Promise.all(old.map(({ id }) => client.session.delete({ path: { id } })))
  }
}
