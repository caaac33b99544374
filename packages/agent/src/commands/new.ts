import type { Command } from './command.ts'

export const newCommand: Command = {
  name: 'new',
  usage: '/new',
  summary: 'start a fresh session with the same settings; this one stays readable',
  async run(_argument, { agent, sessionId, requestId }) {
    const newId = requestId === undefined ? undefined : `${requestId}-new`
    return { command: 'new', session: await agent.startAnew(sessionId, newId) }
  },
}
