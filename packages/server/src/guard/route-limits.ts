export interface RouteLimits {
  /** `stream`: whatever its content type says, and as it comes, by `readTextPieces`. */
  readonly body: 'json' | 'stream'
  readonly maxBytes: number
  /** For the whole body to arrive. */
  readonly receiveMs: number
  /** From then to the head of the answer; what is streamed after it may take as long as it likes. */
  readonly answerMs: number
}

const MEGABYTE = 1_048_576

/** A message with all that is attached to it. */
export const MAX_MESSAGE_BYTES = 20 * MEGABYTE

const USUAL: RouteLimits = { body: 'json', maxBytes: MEGABYTE, receiveMs: 30_000, answerMs: 30_000 }

/**
 * Where one of the usual limits would be in the way. `useChat` sends the whole chat with each message, every image of
 * before included. An import is read as it comes and stored in steps, between others' turns.
 */
const OWN: readonly (readonly [path: RegExp, limits: Partial<RouteLimits>])[] = [
  [/^\/api\/sessions\/[^/]+\/messages$/, { maxBytes: MAX_MESSAGE_BYTES, receiveMs: 120_000 }],
  [/^\/api\/chat$/, { maxBytes: 64 * MEGABYTE, receiveMs: 120_000 }],
  [/^\/api\/sessions\/import$/, { body: 'stream', maxBytes: 64 * MEGABYTE, receiveMs: 280_000, answerMs: 300_000 }],
  [/^\/api\/sessions\/[^/]+\/(?:compact|commands)$/, { answerMs: 300_000 }],
]

export function findLimits(path: string): RouteLimits {
  const [, own] = OWN.find(([pattern]) => pattern.test(path)) ?? []
  return { ...USUAL, ...own }
}
