import type { MirrorCodec } from '../context/mirror-codec.ts'
import type { SealedMessage } from '../request/seal/sealed-request.ts'
import type { Part } from '../transcript/message.ts'

/** A message in the shape of some host: nothing like ours, with data that only the host understands. */
export interface HostMessage {
  readonly from: 'me' | 'bot' | 'tools' | 'setup'
  readonly body: string | readonly HostPart[]
  /** A thinking signature, for one: lost as soon as somebody renders the message anew. */
  readonly signature?: string
  /** Set by the codec alone: the host never has it. */
  readonly isWritten?: true
}

type HostPart =
  | { readonly say: string }
  | { readonly run: string; readonly id: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly answer: string; readonly id: string }

const ROLES = { me: 'user', bot: 'assistant', tools: 'tool', setup: 'system' } as const
const NAMES = { user: 'me', assistant: 'bot', tool: 'tools', system: 'setup' } as const

export const hostCodec: MirrorCodec<HostMessage> = {
  read({ from, body }) {
    const parts = typeof body === 'string' ? [{ type: 'text', text: body } as const] : body.map(readPart)
    return { role: ROLES[from], parts }
  },
  write({ role, parts }: SealedMessage, original) {
    const signature = original?.signature === undefined ? {} : { signature: original.signature }
    return { from: NAMES[role], body: parts.flatMap(writePart), ...signature, isWritten: true }
  },
}

function readPart(part: HostPart): Part {
  if ('say' in part) return { type: 'text', text: part.say }
  if ('run' in part) return { type: 'tool-call', toolCallId: part.id, toolName: part.run, input: part.args as never }
  return { type: 'tool-result', toolCallId: part.id, toolName: 'look', output: part.answer }
}

function writePart(part: Part): readonly HostPart[] {
  switch (part.type) {
    case 'text':
      return [{ say: part.text }]
    case 'tool-call':
      return [{ run: part.toolName, id: part.toolCallId, args: part.input }]
    case 'tool-result':
      return [
        { answer: typeof part.output === 'string' ? part.output : JSON.stringify(part.output), id: part.toolCallId },
      ]
    case 'reasoning':
    case 'image':
    case 'file':
      return []
    default:
      return part satisfies never
  }
}
