import type { MirrorCodec } from '@longhaul/engine'
import { createModelMessageCodec } from '@longhaul/store/host'
import type { ModelMessage } from 'ai'

const written = new WeakSet<object>()

/** Whether the codec wrote this message. */
export function isWritten(message: object): boolean {
  return written.has(message)
}

const codec = createModelMessageCodec<ModelMessage>({ writeData })

/** Reads messages of an app, and those of a model's prompt, which have the same form. It writes what can stand in both. */
export const messageCodec: MirrorCodec<ModelMessage> = {
  ...codec,
  write(...given) {
    const message = codec.write(...given)
    written.add(message)
    return message
  },
}

function writeData(data: string): object {
  if (/^https?:/i.test(data) && URL.canParse(data)) return { type: 'url', url: new URL(data) }
  return { type: 'data', data: data.replace(/^data:[^,]*,/i, '') }
}
