import { createInterface } from 'node:readline'
import type { HostReply, HostSetup } from './host-under-test.ts'

/** A conversation in a host that is a library. */
export interface ProgramTalk {
  readonly say: (text: string) => Promise<HostReply>
  /** Waits for what runs beside the conversation. */
  readonly close: () => Promise<void>
}

/** The other end of `startProgram`: answers messages from standard input until it ends. */
export async function serveProgram(open: (setup: HostSetup) => Promise<ProgramTalk>): Promise<void> {
  const talk = await open(JSON.parse(process.argv[2] ?? '{}') as HostSetup)
  for await (const line of createInterface({ input: process.stdin })) {
    const { text } = JSON.parse(line) as { readonly text: string }
    process.stdout.write(`${JSON.stringify(await reply(talk, text))}\n`)
  }
  await talk.close()
}

async function reply(talk: ProgramTalk, text: string): Promise<HostReply> {
  try {
    return await talk.say(text)
  } catch (error) {
    return { text: '', errors: [String(error)], copies: 0 }
  }
}

/** Counts messages that look like one of the host's own but are another object. */
export function countCopies(sent: readonly object[], own: readonly object[]): number {
  const objects = new Set(own)
  const texts = new Set(own.map((message) => JSON.stringify(message)))
  return sent.filter((message) => !objects.has(message) && texts.has(JSON.stringify(message))).length
}
