import type { Part } from '../transcript/message.ts'
import { isSameData } from './is-same-data.ts'

/** A part of a host's message, and how the codec reads it. null: a mark that is no part of the conversation. */
export interface OwnPart<P> {
  readonly host: P
  readonly read: Part | null
}

/**
 * For a codec that writes a message of which the host has the original. Parts that are shown as the host has them stay
 * its own objects, with everything that only its provider understands; marks that nobody reads keep their places.
 * `write` makes a changed or a new part; it is given the original that the part stands for, such as the same result in full.
 */
export function keepOwnParts<P>(
  own: readonly OwnPart<P>[],
  shown: readonly Part[],
  write: (part: Part, original: P | null) => P,
): readonly P[] {
  const written: P[] = []
  let next = 0
  for (const part of shown) {
    const at = own.findIndex(({ read }, index) => index >= next && read !== null && isSamePlace(read, part))
    const found = own[at]
    if (found === undefined) {
      written.push(write(part, null))
      continue
    }
    const isUnchanged = found.read !== null && isSameContent(found.read, part)
    written.push(...marksIn(own.slice(next, at)), isUnchanged ? found.host : write(part, found.host))
    next = at + 1
  }
  return [...written, ...marksIn(own.slice(next))]
}

function marksIn<P>(own: readonly OwnPart<P>[]): readonly P[] {
  return own.flatMap(({ host, read }) => (read === null ? [host] : []))
}

function isSamePlace(one: Part, other: Part): boolean {
  if (one.type !== other.type) return false
  if ('toolCallId' in one && 'toolCallId' in other) return one.toolCallId === other.toolCallId
  return isSameContent(one, other)
}

function isSameContent(one: Part, other: Part): boolean {
  const { providerOptions: _, ...content } = one
  const { providerOptions: __, ...otherContent } = other
  return isSameData(content, otherContent)
}
