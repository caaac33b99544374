import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Virtualizer } from 'virtua'
import type { VirtualizerHandle } from 'virtua'
import type { Row } from '../session/row.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { joinClasses } from '../ui/join-classes.ts'
import { Spinner } from '../ui/spinner.tsx'
import { findRow } from './find-row.ts'
import { RowView } from './row-view.tsx'
import type { RowHandlers } from './row-view.tsx'

/** Closer to the top than this, older messages are loaded. */
const NEAR_TOP_PX = 800
/** Closer to the end than this, the list follows what comes. */
const NEAR_END_PX = 40
const HIGHLIGHT_MS = 2_500

export interface MessageListProps {
  readonly rows: readonly Row[]
  readonly hasOlder: boolean
  readonly onLoadOlder: () => void
  readonly handlers: RowHandlers
  /** A message to bring on screen; a new object each time. */
  readonly wanted: { readonly messageId: string } | null
  /** It is nowhere in this conversation. */
  readonly onMissing: () => void
}

/** Only what is on screen is in the page, so that ten thousand messages scroll like ten. */
export function MessageList({ rows, hasOlder, onLoadOlder, handlers, wanted, onMissing }: MessageListProps) {
  const list = useRef<VirtualizerHandle>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const lastOffset = useRef(0)
  const [isAway, setIsAway] = useState(false)
  const [highlighted, setHighlighted] = useState<string | null>(null)
  const isPrepended = useIsPrepended(rows)

  const toEnd = useCallback(() => {
    isFollowing.current = true
    list.current?.scrollToIndex(rows.length - 1, { align: 'end' })
  }, [rows.length])

  // New rows and rows that grow push the end down; whoever stands there stays there.
  useLayoutEffect(() => {
    if (isFollowing.current && rows.length > 0) toEnd()
  }, [rows, toEnd])

  const onScroll = (offset: number): void => {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {}
    const isAtEnd = offset + viewportSize >= scrollSize - NEAR_END_PX
    if (isAtEnd) isFollowing.current = true
    else if (offset < lastOffset.current - 1) isFollowing.current = false
    lastOffset.current = offset
    setIsAway(!isAtEnd && !isFollowing.current)
    if (offset < NEAR_TOP_PX && hasOlder) onLoadOlder()
  }

  useEffect(() => {
    if (wanted === null) return
    const index = findRow(rows, wanted.messageId)
    if (index === -1) {
      if (hasOlder) onLoadOlder()
      else onMissing()
      return
    }
    isFollowing.current = false
    list.current?.scrollToIndex(index, { align: 'center' })
    setHighlighted(rows[index]?.key ?? null)
    const timer = setTimeout(() => setHighlighted(null), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
    // Rows that come later must not scroll back to it: only those that a search for it loads.
  }, [wanted, hasOlder && findRow(rows, wanted?.messageId ?? '') === -1 ? rows : null])

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="region"
        aria-label="Conversation"
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain px-4 [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        {hasOlder && <Spinner label="Loading older messages" className="absolute top-3 left-1/2 z-10" />}
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={isPrepended}
          onScroll={onScroll}
          onResize={() => {
            if (isFollowing.current) toEnd()
          }}
        >
          {(row, index) => (
            <div
              key={row.key}
              {...anchorOf(row)}
              className={joinClasses(
                'mx-auto max-w-3xl rounded-2xl transition-colors duration-500',
                row.kind === 'asked' ? 'pt-8 pb-3' : 'py-2',
                index === rows.length - 1 && 'pb-10',
                row.key === highlighted && 'bg-warning-soft ring-8 ring-warning-soft',
              )}
            >
              <RowView row={row} handlers={handlers} />
            </div>
          )}
        </Virtualizer>
      </div>
      {isAway && (
        <Button size="small" onClick={toEnd} className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-raised">
          <Icon name="down" className="size-4" /> Jump to newest
        </Button>
      )}
    </div>
  )
}

/** Where citations lead. */
function anchorOf(row: Row): { readonly id?: string } {
  if (row.kind !== 'asked' && row.kind !== 'answer') return {}
  return row.id === null ? {} : { id: `message-${row.id}` }
}

/** Whether older rows were put before those of the last render. */
function useIsPrepended(rows: readonly Row[]): boolean {
  const before = useRef(rows)
  useEffect(() => {
    before.current = rows
  })
  const first = before.current[0]
  return first !== undefined && rows.length > before.current.length && rows[0]?.key !== first.key
}
