/**
 * A 64-bit hash of text that can be continued: two FNV-1a lanes with different primes. It tells "the same" from "changed"
 * for prefixes and bytes; it is no defence against somebody who wants a collision.
 */
export interface Chain {
  readonly low: number
  readonly high: number
}

export const EMPTY_CHAIN: Chain = { low: 0x811c9dc5, high: 0x9747b28c }

/** The separator keeps ("ab", "c") and ("a", "bc") apart. */
export function extendChain(chain: Chain, text: string): Chain {
  let { low, high } = chain
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ (code + 0x9e37), 0x85ebca6b) ^ (high >>> 15)
  }
  return { low: Math.imul(low ^ 0x1f, 0x01000193), high: Math.imul(high ^ 0x1f, 0xc2b2ae35) }
}

/** One link further, by the hash of the link. */
export function linkChain({ low, high }: Chain, link: Chain): Chain {
  return { low: mixLow(low, link.low), high: mixHigh(high, link.high) }
}

export function mixLow(low: number, link: number): number {
  return Math.imul(low ^ link, 0x01000193) ^ (low >>> 13)
}

export function mixHigh(high: number, link: number): number {
  return Math.imul(high ^ link, 0x85ebca6b) ^ (high >>> 15)
}

export function chainHash({ low, high }: Chain): string {
  return (low >>> 0).toString(16).padStart(8, '0') + (high >>> 0).toString(16).padStart(8, '0')
}

export function createLink(text: string): Chain {
  return extendChain(EMPTY_CHAIN, text)
}

export function hashText(text: string): string {
  return chainHash(createLink(text))
}
