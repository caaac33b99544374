import type { Session } from '@longhaul/protocol'
import { DEFAULT_PRESET, UNKNOWN_MODEL, costOfTotals, lowerWords, originOf } from '@longhaul/runtime'
import type { JsonObject, SessionRecord, SummaryInForce } from '@longhaul/runtime'
import type { ServerContext } from '../server-context.ts'
import type { Gauge } from './gauges.ts'

type Presenter = Pick<ServerContext, 'runtime' | 'gauges' | 'summaries'>

export async function presentSession(server: Presenter, record: SessionRecord): Promise<Session> {
  const [gauge, summary] = await Promise.all([server.gauges.read(record), server.summaries.read(record)])
  return present(server, record, { gauge, summary })
}

/** For a list: one entry is read of each session that was compacted, and only the first time. */
export async function presentSessions(server: Presenter, records: readonly SessionRecord[]): Promise<Session[]> {
  const gauges = await server.gauges.readSome(records)
  // A summary that cannot be read must not hide the other sessions.
  const summaries = await Promise.all(records.map((record) => server.summaries.read(record).catch(() => null)))
  return records.flatMap((record, index) => {
    const [gauge, summary] = [gauges[index], summaries[index]]
    return gauge === undefined || summary === undefined ? [] : [present(server, record, { gauge, summary })]
  })
}

interface Known {
  readonly gauge: Gauge
  readonly summary: SummaryInForce | null
}

function present(
  { runtime: { config, models, findWider } }: Presenter,
  { id, title, preview, header, head, createdAt, updatedAt }: SessionRecord,
  { gauge: { warnings, ...gauge }, summary }: Known,
): Session {
  const { totals, settings } = head
  const agent = readAgent(header)
  const words = settings.policy ?? {}
  const origin = originOf(header)
  const own = agent !== null && Object.hasOwn(config.agents.list, agent) ? config.agents.list[agent] : undefined
  return {
    id,
    title,
    origin,
    agent,
    ...(origin === null
      ? {
          model: head.model ?? own?.model ?? config.agents.defaults.model ?? models.defaultModel,
          preset: settings.preset ?? own?.preset ?? config.preset,
          policy: lowerWords(words, findWider({ agent, policy: words })),
        }
      : { model: head.model ?? UNKNOWN_MODEL, preset: settings.preset ?? DEFAULT_PRESET, policy: words }),
    messageCount: totals.messages,
    lastMessagePreview: preview,
    tokens: { ...gauge, input: totals.inputTokens, output: totals.outputTokens },
    cost: costOfTotals(totals),
    unpricedCalls: totals.unpricedCalls ?? 0,
    compactionCount: head.compactionCount,
    compactedSummary: summary?.text ?? null,
    compactBoundaryTimestamp: summary?.boundaryAt ?? null,
    warnings: [...warnings],
    createdAt,
    updatedAt,
  }
}

/** Which of `agents.list` it belongs to; null: none. */
function readAgent(header: JsonObject): string | null {
  return typeof header['agent'] === 'string' ? header['agent'] : null
}
