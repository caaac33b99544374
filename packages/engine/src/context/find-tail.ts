/** Fewer messages than this may be the same by chance. */
const SURE_MESSAGES = 8

interface Hashed {
  readonly hash: string
}

/**
 * How many messages of the log stand before a list that may be the end of a longer one: the list goes on from the longest
 * part of the log that it repeats. 0 where it repeats none: then the list is another history.
 */
export function findTail(log: readonly Hashed[], list: readonly Hashed[]): number {
  let [before, longest] = [0, 0]
  for (let start = 0; start < log.length; start += 1) {
    const most = Math.min(log.length - start, list.length)
    let same = 0
    while (same < most && log[start + same]?.hash === list[same]?.hash) same += 1
    const isSure = start === 0 || same >= SURE_MESSAGES || (same === most && same > 1)
    if (same <= longest || !isSure) continue
    before = start
    longest = same
    if (same === most) break
  }
  return before
}
