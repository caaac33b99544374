import { renderParts } from '@longhaul/engine/advanced'
import { AgentError } from '../agent-error.ts'
import { recallMessages } from '../memory/tools/recall-tools.ts'
import type { Command } from './command.ts'

const MAX_FOUND = 10

export const recallCommand: Command = {
  name: 'recall',
  usage: '/recall QUERY',
  summary: 'find earlier messages of this session, word for word',
  async run(argument, { store, sessionId }) {
    if (argument === '') throw new AgentError('invalid-request', 'Say what to look for: /recall QUERY')
    const messages = await recallMessages(store, sessionId, { query: argument, ids: [argument], limit: MAX_FOUND })
    const found = messages.map((message) => {
      const { id, seq, at, role, parts } = message
      return { id, seq, at, role, text: renderParts(parts) }
    })
    return { command: 'recall', query: argument, found }
  },
}
