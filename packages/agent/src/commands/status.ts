import { describeStatus } from '../inspect/session-status.ts'
import type { Command } from './command.ts'

export const statusCommand: Command = {
  name: 'status',
  usage: '/status',
  summary: 'how full the context is, compactions, model, cost',
  async run(_argument, { agent, store, sessionId }) {
    const [session, record] = await Promise.all([agent.inspect(sessionId), store.sessions.get(sessionId)])
    return { command: 'status', status: describeStatus(session, record?.title ?? null) }
  },
}
