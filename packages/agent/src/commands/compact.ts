import type { Command } from './command.ts'
import { request } from './request.ts'

export const compactCommand: Command = {
  name: 'compact',
  usage: '/compact [instructions]',
  summary: 'summarise older messages now; the instructions steer the summary',
  async run(argument, context) {
    return request(context, {
      kind: 'compact',
      payload: argument === '' ? {} : { instructions: argument },
      describe: ({ tokensBefore, tokensAfter, score }) => ({
        command: 'compact',
        tokensBefore: Number(tokensBefore ?? 0),
        tokensAfter: Number(tokensAfter ?? 0),
        score: typeof score === 'number' ? score : null,
      }),
    })
  },
}
