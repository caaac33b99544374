import { z } from '@hono/zod-openapi'
import { attachmentSchema, clientIdSchema } from '@longhaul/protocol'
import type { NewMessage } from '@longhaul/protocol'
import { ApiFailure } from '../api-failure.ts'
import { MAX_MESSAGE_BYTES } from '../guard/route-limits.ts'

/** What `useChat` sends. Of all the messages only the last of the user counts: the others are here already. */
export const chatSchema = z
  .looseObject({
    id: clientIdSchema.describe('The session; it is created where it is new'),
    messages: z
      .array(
        z.looseObject({
          id: z.string().optional(),
          role: z.enum(['system', 'user', 'assistant']),
          parts: z.array(z.looseObject({ type: z.string() })),
        }),
      )
      .min(1),
    model: z.string().min(1).max(200).optional().describe('For a session that is new'),
    preset: z.string().min(1).max(200).optional().describe('For a session that is new'),
  })
  .openapi('Chat')

type ChatMessage = z.infer<typeof chatSchema>['messages'][number]

/** Its id is the client's: sent again, it finds the turn it has. */
export function readChatMessage({ messages }: z.infer<typeof chatSchema>): NewMessage {
  const message = messages.findLast(({ role }) => role === 'user')
  if (message === undefined) throw new ApiFailure('invalid-request', 'messages: none is from the user.')
  if (Buffer.byteLength(JSON.stringify(message)) > MAX_MESSAGE_BYTES)
    throw new ApiFailure('payload-too-large', `A message may have ${MAX_MESSAGE_BYTES} bytes, with its files.`)
  const id = clientIdSchema.optional().safeParse(message.id)
  if (!id.success) throw new ApiFailure('invalid-request', `messages: ${id.error.issues[0]?.message ?? ''}`)
  const attachments = message.parts.filter(({ type }) => type === 'file').map(readAttachment)
  const text = message.parts.flatMap(readText).join('\n')
  if (text.trim() === '' && attachments.length === 0) throw new ApiFailure('invalid-request', 'The message is empty.')
  return {
    text,
    ...(id.data === undefined ? {} : { id: id.data }),
    ...(attachments.length === 0 ? {} : { attachments }),
  }
}

function readText({ type, text }: ChatMessage['parts'][number]): readonly string[] {
  return type === 'text' && typeof text === 'string' ? [text] : []
}

/** Only what the message itself holds: no address in it makes this server fetch something. */
function readAttachment({ url, mediaType, filename }: ChatMessage['parts'][number]) {
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(String(url)) ?? []
  const isImage = typeof mediaType === 'string' && mediaType.startsWith('image/')
  const wish = isImage
    ? { type: 'image', image: data, mediaType }
    : { type: 'file', data, mediaType, ...(filename === undefined ? {} : { filename }) }
  const attachment = attachmentSchema.safeParse(wish)
  if (!attachment.success)
    throw new ApiFailure('invalid-request', 'A file must be a data URL in base64, with its media type.')
  return attachment.data
}
