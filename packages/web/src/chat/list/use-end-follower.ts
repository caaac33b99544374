import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { VirtualizerHandle } from 'virtua'

/** Closer to the end than this, the list follows what comes. */
const NEAR_END_PX = 40
/** A scroll this soon after a wheel, a finger or a key is its reader's. */
const BY_HAND_MS = 1_000

export interface EndFollower {
  /** The end is out of sight. */
  readonly isAway: boolean
  readonly toEnd: () => void
  /** Stays where it is, whatever comes. */
  readonly stay: () => void
  readonly onScroll: (offset: number) => void
  readonly onResize: () => void
  /** For the element that scrolls. */
  readonly hands: Readonly<Record<'onWheel' | 'onTouchMove' | 'onKeyDown' | 'onPointerDown', () => void>>
}

/** Keeps the end of a list on screen while it grows, unless its reader scrolls up. Another `said` brings them back. */
export function useEndFollower(
  list: RefObject<VirtualizerHandle | null>,
  rows: readonly unknown[],
  said: number,
): EndFollower {
  const isFollowing = useRef(true)
  const lastOffset = useRef(0)
  const lastByHand = useRef(Number.NEGATIVE_INFINITY)
  const [isAway, setIsAway] = useState(false)
  const count = rows.length

  const toEnd = useCallback(() => {
    isFollowing.current = true
    if (count > 0) list.current?.scrollToIndex(count - 1, { align: 'end' })
  }, [list, count])
  const stay = useCallback(() => void (isFollowing.current = false), [])
  const onResize = useCallback(() => {
    if (isFollowing.current) toEnd()
  }, [toEnd])
  useLayoutEffect(() => void (isFollowing.current = true), [said])
  useLayoutEffect(onResize, [rows, said, onResize])

  const onScroll = (offset: number): void => {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {}
    const isAtEnd = offset + viewportSize >= scrollSize - NEAR_END_PX
    const isUp = offset < lastOffset.current - 1
    // Rows that shrink move it up as well, but stay at the end. Of its reader the first pixel counts: else what comes
    // would pull them back.
    const isByHand = performance.now() - lastByHand.current < BY_HAND_MS
    if (isUp && (isByHand || !isAtEnd)) isFollowing.current = false
    else if (isAtEnd && !isUp) isFollowing.current = true
    lastOffset.current = offset
    setIsAway(!isAtEnd && !isFollowing.current)
  }
  const noteHand = (): void => void (lastByHand.current = performance.now())
  const hands = { onWheel: noteHand, onTouchMove: noteHand, onKeyDown: noteHand, onPointerDown: noteHand }
  return { isAway, toEnd, stay, onScroll, onResize, hands }
}
