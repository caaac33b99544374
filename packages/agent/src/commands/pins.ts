import type { Command, CommandContext } from './command.ts'

export const pinsCommand: Command = {
  name: 'pins',
  usage: '/pins',
  summary: 'show what is pinned',
  async run(_argument, context) {
    return { command: 'pins', pins: await listPins(context) }
  },
}

/** Numbered from 1, as `/unpin` takes them. */
export async function listPins({
  agent,
  sessionId,
}: CommandContext): Promise<readonly { readonly number: number; readonly id: string; readonly text: string }[]> {
  const { pins } = (await agent.inspect(sessionId)).context.state.head
  return pins.map(({ id, text }, index) => ({ number: index + 1, id, text }))
}
