/** Who or what put a text into the context. */
export type Origin = 'system' | 'summary' | 'pin' | 'user' | 'assistant' | 'tool'

export interface Piece {
  readonly origin: Origin
  readonly text: string
}

/** A summary or a pin as the engine words it, for each place it may stand in. */
const MARKED: readonly { readonly origin: Origin; readonly author?: Origin; readonly pattern: RegExp }[] = [
  { origin: 'summary', pattern: /^\[Summary of the conversation so far\.[^\]\n]*\]\n([\s\S]*)$/ },
  { origin: 'summary', pattern: /^\[Session compacted\. Summary of prior conversation:\]\n([\s\S]*)$/ },
  { origin: 'summary', pattern: /^Previous conversation summary:\n([\s\S]*?)\n\n---(?:\n|$)/ },
  { origin: 'summary', pattern: /\[CONTEXT SUMMARY\]\n([\s\S]*?)\n\[END CONTEXT SUMMARY\]/ },
  {
    origin: 'summary',
    author: 'user',
    pattern: /^\[Found in earlier messages of this conversation [^\]\n]*\]\n([\s\S]*)$/,
  },
  // A message of its own, or a paragraph before the system prompt.
  { origin: 'pin', author: 'user', pattern: /^\[Pinned by the user; [^\]\n]*\]\n([\s\S]*)$/ },
  { origin: 'pin', author: 'system', pattern: /^\[Pinned by the user; [^\]\n]*\]\n([\s\S]*?)(?:\n\n|$)/ },
]

/** A text cut into what its author wrote and what stands in for messages that are gone. */
export function splitOrigins(text: string, author: Origin): readonly Piece[] {
  if (author === 'assistant' || author === 'tool') return [{ origin: author, text }]
  for (const { origin, author: only, pattern } of MARKED) {
    const match = only === undefined || only === author ? pattern.exec(text) : null
    if (match === null) continue
    const around = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
    const written = around.filter((rest) => rest.trim() !== '').flatMap((rest) => splitOrigins(rest.trim(), author))
    return [{ origin, text: match[1] ?? '' }, ...written]
  }
  return [{ origin: author, text }]
}
