import type { Command } from './command.ts'
import { request } from './request.ts'

export const resetCommand: Command = {
  name: 'reset',
  usage: '/reset',
  summary: 'clear the context of this session; its transcript stays readable',
  async run(_argument, context) {
    return request(context, { kind: 'reset', describe: () => ({ command: 'reset' }) })
  },
}
