import type { Command } from './command.ts'
import { request } from './request.ts'

export const undoCommand: Command = {
  name: 'undo',
  usage: '/undo',
  summary: 'take the last compaction back',
  async run(_argument, context) {
    return request(context, {
      kind: 'undo',
      describe: ({ undone, tokens }) => ({
        command: 'undo',
        undone: Array.isArray(undone) ? undone.map(String) : [],
        tokens: typeof tokens === 'number' ? tokens : null,
      }),
    })
  },
}
