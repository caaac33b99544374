import { AgentError } from '../agent-error.ts'
import type { Command } from './command.ts'
import { request } from './request.ts'

export const pinCommand: Command = {
  name: 'pin',
  usage: '/pin TEXT',
  summary: 'keep these words in every request, whatever is summarised',
  async run(argument, context) {
    if (argument === '') throw new AgentError('invalid-request', 'Say what to pin: /pin TEXT')
    return request(context, {
      kind: 'pin',
      payload: { text: argument },
      describe: ({ id }) => ({ command: 'pin', id: String(id), text: argument }),
    })
  },
}
