import { describeStatus } from '../inspect/session-status.ts'
import type { Command } from './command.ts'

export const statusCommand: Command = {
  name: 'status',
  usage: '/status',
  summary: 'how full the context is, compactions, model, cost',
  async run(_argument, { agent, sessionId }) {
    return { command: 'status', status: describeStatus(await agent.inspect(sessionId)) }
  },
}
