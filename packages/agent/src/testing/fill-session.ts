import type { AgentEvent } from '../port/agent-event.ts'
import type { AgentUnderTest } from './start-agent.ts'

/** About 170 tokens that nobody will ask for. */
export const SMALL_TALK = 'The soil in the beds is dry, so it wants water in the evening. '.repeat(11)

/** Says small talk until an event of this kind has come; the events of that last turn. */
export async function talkUntil(
  under: AgentUnderTest,
  sessionId: string,
  type: AgentEvent['type'],
  maxTurns = 60,
): Promise<readonly AgentEvent[]> {
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    const events = await under.say(sessionId, `Message ${turn}. ${SMALL_TALK}`)
    if (events.some((event) => event.type === type)) return events
  }
  throw new Error(`no ${type} in ${maxTurns} turns`)
}
