import { findNearestName } from '@longhaul/engine/advanced'
import { AgentError } from '../agent-error.ts'
import type { Command } from './command.ts'
import { request } from './request.ts'

export const modelCommand: Command = {
  name: 'model',
  usage: '/model [id]',
  summary: 'show or change the model; a smaller window is compacted for first',
  async run(argument, context) {
    const { agent, models, sessionId } = context
    const choices = models.list().flatMap(({ id, available }) => (available ? [id] : []))
    if (argument === '') {
      return { command: 'model', model: (await agent.inspect(sessionId)).model, choices, didChange: false }
    }
    if (!models.describe(argument).available) {
      const nearest = findNearestName(argument, choices)
      const hint = nearest === undefined ? 'Type /model to see what there is.' : `Did you mean ${nearest}?`
      throw new AgentError('invalid-request', `${argument} cannot be used here. ${hint}`)
    }
    return request(context, {
      kind: 'model',
      payload: { model: argument },
      describe: () => ({ command: 'model', model: argument, choices, didChange: true }),
    })
  },
}
