/**
 * An entry lies at one number made of its session's key and its seq. So the entries of a session lie side by side, in
 * order, without an index of their own, and the search index calls them by the same number. Place 0 of a session stands
 * for its title. 33 million sessions of 268 million entries each stay below what a JavaScript number holds exactly.
 */
export const PLACES_PER_SESSION = 2 ** 28

export function placeOf(sessionKey: number, seq: number): number {
  return sessionKey * PLACES_PER_SESSION + seq
}

export function seqAt(place: number): number {
  return place % PLACES_PER_SESSION
}
