import type { Anchor } from '../../transcript/entry.ts'
import type { Part } from '../../transcript/message.ts'
import type { Reading } from '../../tokens/meter.ts'
import type { ToolSchema } from '../view/environment.ts'

export interface SealedMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly parts: readonly Part[]
}

/** What the seal had to change so that the request is valid. The last four kinds lose content; the others lose none. */
export interface Repair {
  readonly kind:
    | 'result-added'
    | 'results-dropped'
    | 'reasoning-dropped'
    | 'message-added'
    | 'messages-joined'
    | 'empty-dropped'
    | 'media-left-out'
    | 'result-left-out'
    | 'message-left-out'
    | 'text-cut'
  readonly detail: string
}

const LOSSY: ReadonlySet<Repair['kind']> = new Set([
  'media-left-out',
  'result-left-out',
  'message-left-out',
  'text-cut',
])

/** Whether a repair lost content. */
export function isLossy({ kind }: Repair): boolean {
  return LOSSY.has(kind)
}

/** Ready to be sent: pairs, roles, arguments, tokens and bytes are in order. */
export interface SealedRequest {
  readonly system: string | null
  readonly messages: readonly SealedMessage[]
  /** So many of the messages are sent again as they are; a prompt cache may end behind the last. Left out: all of them. */
  readonly stableMessages?: number
  readonly tools: readonly ToolSchema[]
  readonly tokens: Reading
  /** Of system prompt, files and tools. */
  readonly environmentHash: string
  readonly bytes: number
  readonly bytesHash: string
  /** To be stored with the answer: it tells later requests what this bill was for. */
  readonly anchor: Anchor
  readonly repairs: readonly Repair[]
  /** false: system prompt, tools and the newest message alone are larger than the limit. */
  readonly fits: boolean
}
