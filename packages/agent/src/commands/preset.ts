import { PRESETS, findNearestName, isPresetName } from '@longhaul/engine/advanced'
import { AgentError } from '../agent-error.ts'
import type { Command } from './command.ts'
import { request } from './request.ts'

export const presetCommand: Command = {
  name: 'preset',
  usage: '/preset [name]',
  summary: 'show or change how the context is kept',
  async run(argument, context) {
    const choices = Object.keys(PRESETS)
    if (argument === '') {
      const { preset } = (await context.agent.inspect(context.sessionId)).settings
      return { command: 'preset', preset, choices, didChange: false }
    }
    if (!isPresetName(argument)) {
      const nearest = findNearestName(argument, choices)
      const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
      throw new AgentError('invalid-request', `There is no preset ${argument}; there are ${choices.join(', ')}.${hint}`)
    }
    return request(context, {
      kind: 'settings',
      payload: { preset: argument },
      describe: () => ({ command: 'preset', preset: argument, choices, didChange: true }),
    })
  },
}
