import type { Session } from '@longhaul/protocol'
import type { JsonObject, SessionRecord } from '@longhaul/runtime'
import type { ServerContext } from '../server-context.ts'

type Presenter = Pick<ServerContext, 'runtime' | 'gauges'>

export async function presentSession(server: Presenter, record: SessionRecord): Promise<Session> {
  return present(server, record, await server.gauges.read(record))
}

export async function presentSessions(server: Presenter, records: readonly SessionRecord[]): Promise<Session[]> {
  const gauges = await server.gauges.readSome(records)
  return records.flatMap((record, index) => {
    const gauge = gauges[index]
    return gauge === undefined ? [] : [present(server, record, gauge)]
  })
}

function present(
  { runtime: { config, models } }: Presenter,
  { id, title, preview, header, head, createdAt, updatedAt }: SessionRecord,
  gauge: Pick<Session['tokens'], 'context' | 'window' | 'source'>,
): Session {
  const { totals, settings } = head
  const agent = readAgent(header)
  const own = agent !== null && Object.hasOwn(config.agents.list, agent) ? config.agents.list[agent] : undefined
  return {
    id,
    title,
    model: head.model ?? own?.model ?? config.agents.defaults.model ?? models.defaultModel,
    preset: settings.preset ?? own?.preset ?? config.preset,
    agent,
    policy: { ...settings.policy },
    messageCount: totals.messages,
    lastMessagePreview: preview,
    tokens: { ...gauge, input: totals.inputTokens, output: totals.outputTokens },
    cost: totals.costUsd,
    compactionCount: head.compactionCount,
    createdAt,
    updatedAt,
  }
}

/** Which of `agents.list` it belongs to; null: none. */
function readAgent(header: JsonObject): string | null {
  return typeof header['agent'] === 'string' ? header['agent'] : null
}
