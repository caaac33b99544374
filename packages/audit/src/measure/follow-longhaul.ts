import { createPresetPolicy, replay } from '@longhaul/replay'
import type { Carrier, Registry, ReplayPolicy, RequestItem, RunTotals } from '@longhaul/replay'
import type { AgentTranscript } from '../find/agent-session.ts'
import type { MentionReader } from './session/mention-reader.ts'
import { createFollower } from './session/follow-session.ts'
import type { SessionFollower } from './session/follow-session.ts'
import type { WindowText, WindowView } from './session/window-view.ts'

export interface LonghaulRun {
  readonly follower: SessionFollower
  readonly totals: RunTotals
}

interface LonghaulOptions {
  readonly windowTokens: number
  readonly registry: Registry
  readonly signal: AbortSignal
}

/** The same session as the preset `longhaul` would have carried it, followed by the same measure through its own windows. */
export async function followLonghaul(
  imported: AgentTranscript,
  reader: MentionReader,
  options: LonghaulOptions,
): Promise<LonghaulRun | null> {
  const follower = createFollower(reader)
  const { systemPrompt } = imported.session
  if (systemPrompt !== undefined) follower.addHead(systemPrompt)
  const report = await replay([imported], [watchPolicy(createPresetPolicy('longhaul'), follower)], {
    ...options,
    measuresRetention: false,
  })
  const [run] = report.runs
  return run === undefined ? null : { follower, totals: run.totals }
}

function watchPolicy(policy: ReplayPolicy, follower: SessionFollower): ReplayPolicy {
  return { ...policy, start: (options) => watchCarrier(policy.start(options), follower) }
}

/** A window changes when maintenance did something, and when an output was cut as it was stored. */
function watchCarrier(carrier: Carrier, follower: SessionFollower): Carrier {
  let hasChanged = false
  let seen = -1
  let changes = 0
  return {
    append(message, usage) {
      follower.add(message)
      carrier.append(message, usage)
    },
    async maintain(moment) {
      const events = await carrier.maintain(moment)
      hasChanged ||= events.some(({ action }) => action === 'prune' || action === 'compact' || action === 'trim')
      return events
    },
    request() {
      const items = carrier.request()
      hasChanged ||= isCutSince(items, seen)
      seen = items.at(-1)?.index ?? seen
      if (hasChanged) {
        follower.compactTo(createView(items), changes)
        changes += 1
        hasChanged = false
      }
      return items
    },
  }
}

function isCutSince(items: readonly RequestItem[], seen: number): boolean {
  for (let place = items.length - 1; place >= 0; place -= 1) {
    const item = items[place]
    if (item === undefined || item.index === null || item.index <= seen) return false
    if (item.state !== 'verbatim') return true
  }
  return false
}

function createView(items: readonly RequestItem[]): WindowView {
  const messages = new Set<number>()
  const texts: WindowText[] = []
  for (const { index, state, message, key } of items) {
    if (index !== null && state === 'verbatim') messages.add(index)
    else texts.push({ key: `${key} ${state}`, message })
  }
  return { messages, texts }
}
