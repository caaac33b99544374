import type { Command } from './command.ts'

export const memoryCommand: Command = {
  name: 'memory',
  usage: '/memory [query]',
  summary: 'what was saved for good: the files, or what they say about something',
  async run(argument, { memory }) {
    const [files, hits] = await Promise.all([memory.list(), argument === '' ? [] : memory.search(argument)])
    return { command: 'memory', query: argument, files, hits }
  },
}
