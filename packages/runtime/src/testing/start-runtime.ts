import type { AgentEvent } from '@longhaul/agent'
import { followEvents } from '@longhaul/store'
import { loadConfig } from '../config/load-config.ts'
import { createRuntime } from '../create-runtime.ts'
import type { Runtime, RuntimeOptions } from '../create-runtime.ts'

export interface StartOptions extends RuntimeOptions {
  /** Everything lies in here. */
  readonly folder: string
  /** The text of the configuration file. */
  readonly source?: string
}

/** A runtime as a user starts it, without any key. */
export async function startRuntime({ folder, source = '{}', ...options }: StartOptions): Promise<Runtime> {
  const config = await loadConfig({
    environment: { LONGHAUL_DATA: folder, PATH: process.env['PATH'] },
    homeFolder: folder,
    readFile: () => Promise.resolve(source),
  })
  return createRuntime(config, options)
}

/** Sends a message and follows its turn to the end. */
export async function say({ agent, store }: Runtime, sessionId: string, text: string): Promise<readonly AgentEvent[]> {
  const { id, afterEvent } = await agent.send(sessionId, { text })
  const events: AgentEvent[] = []
  const { signal } = new AbortController()
  for await (const { event } of followEvents(store, sessionId, { after: afterEvent, signal })) {
    const one = event as unknown as AgentEvent
    if (one.turnId !== id) continue
    events.push(one)
    if (one.type === 'done') break
  }
  return events
}

export function answerOf(events: readonly AgentEvent[]): string {
  return events.flatMap((event) => (event.type === 'response-complete' ? [event.text] : [])).join('')
}
