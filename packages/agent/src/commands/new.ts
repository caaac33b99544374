import type { Command } from './command.ts'

export const newCommand: Command = {
  name: 'new',
  usage: '/new',
  summary: 'start a fresh session with the same settings; this one stays readable',
  async run(_argument, { agent, sessionId }) {
    return { command: 'new', session: await agent.startAnew(sessionId) }
  },
}
