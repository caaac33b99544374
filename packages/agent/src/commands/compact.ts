import type { Command } from './command.ts'
import { request } from './request.ts'

export const compactCommand: Command = {
  name: 'compact',
  usage: '/compact [instructions]',
  summary: 'summarise older messages now; the instructions steer the summary',
  async run(argument, context) {
    const { tokensBefore, tokensAfter, score } = await request(
      context,
      'compact',
      argument === '' ? {} : { instructions: argument },
    )
    return {
      command: 'compact',
      tokensBefore: Number(tokensBefore ?? 0),
      tokensAfter: Number(tokensAfter ?? 0),
      score: typeof score === 'number' ? score : null,
    }
  },
}
