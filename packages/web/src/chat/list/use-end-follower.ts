import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

/** Closer to the end than this, the list follows what comes. */
const NEAR_END_PX = 40
/** A scroll this soon after a wheel, a finger or a key is its reader's. */
const BY_HAND_MS = 1_000
/** Until then, scrolls that were under way when it was led away may still tell of the end. */
const LED_AWAY_MS = 500

export interface EndFollowerInput {
  /** The element that scrolls; all of the list is its first child. */
  readonly scroller: RefObject<HTMLElement | null>
  readonly rows: readonly unknown[]
  readonly said: number
}

export interface EndFollower {
  /** The end is out of sight. */
  readonly isAway: boolean
  readonly toEnd: () => void
  /** Stays where it is, whatever comes. */
  readonly stay: () => void
  readonly onScroll: (offset: number) => void
  /** For the scroller. */
  readonly hands: Readonly<Record<'onWheel' | 'onTouchMove' | 'onKeyDown' | 'onPointerDown', () => void>>
}

/** Keeps the end of a list on screen while it grows, unless its reader scrolls up. Another `said` brings them back. */
export function useEndFollower({ scroller, rows, said }: EndFollowerInput): EndFollower {
  const isFollowing = useRef(true)
  const lastOffset = useRef(0)
  const lastByHand = useRef(Number.NEGATIVE_INFINITY)
  const lastLedAway = useRef(Number.NEGATIVE_INFINITY)
  const [isAway, setIsAway] = useState(false)

  // By the element itself: the list's own way to an index goes on for a while, and pulls back whoever scrolls up meanwhile.
  const toEnd = useCallback(() => {
    isFollowing.current = true
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: 'instant' })
  }, [scroller])
  const stay = useCallback(() => {
    isFollowing.current = false
    lastLedAway.current = performance.now()
  }, [])
  const follow = useCallback(() => {
    if (isFollowing.current) toEnd()
  }, [toEnd])
  useLayoutEffect(() => void (isFollowing.current = true), [said])
  useLayoutEffect(follow, [rows, said, follow])
  useEffect(() => {
    if (scroller.current === null) return undefined
    const observer = new ResizeObserver(follow)
    // A window, a keyboard or a notice that takes or gives room.
    observer.observe(scroller.current)
    // Rows that were measured, or that grow.
    for (const list of scroller.current.children) observer.observe(list)
    return () => observer.disconnect()
  }, [scroller, follow])

  const onScroll = (offset: number): void => {
    const isAtEnd = scroller.current === null || isScrolledToEnd(scroller.current)
    const isUp = offset < lastOffset.current - 1
    // Rows that shrink move it up as well, but stay at the end. Of its reader the first pixel counts: else what comes
    // would pull them back.
    const isByHand = performance.now() - lastByHand.current < BY_HAND_MS
    const isLedAway = performance.now() - lastLedAway.current < LED_AWAY_MS
    if (isUp && (isByHand || !isAtEnd)) isFollowing.current = false
    else if (isAtEnd && !isUp && !isLedAway) isFollowing.current = true
    lastOffset.current = offset
    setIsAway(!isAtEnd && !isFollowing.current)
  }
  const noteHand = (): void => void (lastByHand.current = performance.now())
  const hands = { onWheel: noteHand, onTouchMove: noteHand, onKeyDown: noteHand, onPointerDown: noteHand }
  return { isAway, toEnd, stay, onScroll, hands }
}

/** As it is now: the list's own numbers lag behind when the room it has changes. */
function isScrolledToEnd({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean {
  return scrollTop + clientHeight >= scrollHeight - NEAR_END_PX
}
