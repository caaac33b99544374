import type { Message } from '../transcript/message.ts'
import { pairTools } from './tool-pairs.ts'

/**
 * A cut at index i puts messages before i on one side and the rest on the other. It is legal where no tool call is
 * separated from its result and where message i can open what is kept: never a tool message. Both ends are always legal:
 * there nothing is separated from anything.
 */
export interface CutPoints {
  readonly isLegal: (index: number) => boolean
  /** The nearest legal cut at or after the index: keeps less. */
  readonly atOrAfter: (index: number) => number
  /** The nearest legal cut at or before the index: keeps more. */
  readonly atOrBefore: (index: number) => number
}

export function findCutPoints(messages: readonly Message[]): CutPoints {
  const openPairs = countOpenPairs(messages)
  const isLegal = (index: number): boolean =>
    index === 0 || index === messages.length || (openPairs[index] === 0 && messages[index]?.role !== 'tool')
  return {
    isLegal,
    atOrAfter(index) {
      let cut = Math.max(0, index)
      while (cut < messages.length && !isLegal(cut)) cut += 1
      return Math.min(cut, messages.length)
    },
    atOrBefore(index) {
      let cut = Math.min(messages.length, index)
      while (cut > 0 && !isLegal(cut)) cut -= 1
      return Math.max(cut, 0)
    },
  }
}

/** For each index, how many calls before it have their result at it or later. */
function countOpenPairs(messages: readonly Message[]): Int32Array {
  const open = new Int32Array(messages.length + 1)
  const add = (index: number, change: number): void => {
    open[index] = (open[index] ?? 0) + change
  }
  for (const { callMessage, answer } of pairTools(messages)) {
    if (answer === null) continue
    add(callMessage + 1, 1)
    add(answer.message + 1, -1)
  }
  for (let index = 1; index < open.length; index += 1) add(index, open[index - 1] ?? 0)
  return open
}
