import { useEffect, useRef } from 'react'
import { Virtualizer } from 'virtua'
import type { VirtualizerHandle } from 'virtua'
import type { Row } from '../../session/row.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { joinClasses } from '../../ui/join-classes.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { hasFooter } from '../answer/has-footer.ts'
import { RowView } from '../rows/row-view.tsx'
import type { RowHandlers } from '../rows/row-view.tsx'
import { useEndFollower } from './use-end-follower.ts'
import { useWantedRow } from './use-wanted-row.ts'

/** Closer to the top than this, older messages are loaded. */
const NEAR_TOP_PX = 800

export interface MessageListProps {
  readonly rows: readonly Row[]
  readonly hasOlder: boolean
  readonly isLoadingOlder: boolean
  readonly onLoadOlder: () => void
  readonly handlers: RowHandlers
  /** How often the user has said something here: whoever speaks wants to see the answer. */
  readonly said: number
  /** A message to bring on screen; a new object each time. */
  readonly wanted: { readonly messageId: string } | null
  /** It is nowhere in this conversation. */
  readonly onMissing: () => void
}

/** Only what is on screen is in the page, so that ten thousand messages scroll like ten. */
export function MessageList(props: MessageListProps) {
  const { rows, hasOlder, isLoadingOlder, onLoadOlder, handlers, said, wanted, onMissing } = props
  const list = useRef<VirtualizerHandle>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const isPrepended = useIsPrepended(rows)
  const { isAway, toEnd, stay, onScroll, hands } = useEndFollower({ scroller, rows, said })
  const scrollTo = (index: number): void => {
    stay()
    list.current?.scrollToIndex(index, { align: 'center' })
  }
  const highlighted = useWantedRow({ rows, wanted, hasOlder, onLoadOlder, onMissing, scrollTo })

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="region"
        aria-label="Conversation"
        tabIndex={0}
        {...hands}
        className="h-full overflow-y-auto overscroll-contain px-4 sm:px-5 [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={isPrepended}
          onScroll={(offset) => {
            onScroll(offset)
            if (offset < NEAR_TOP_PX && hasOlder) onLoadOlder()
          }}
        >
          {(row, index) => (
            <div
              key={row.key}
              {...anchorOf(row)}
              className={joinClasses(
                'mx-auto max-w-3xl',
                row.kind === 'asked' ? (isAboveFooter(rows[index - 1]) ? 'pt-1' : 'pt-6') : 'pt-1.5',
                index === rows.length - 1 ? 'pb-8' : 'pb-1.5',
              )}
            >
              <div
                className={joinClasses(
                  'rounded-xl transition-[outline-color] duration-500 outline-2 outline-offset-8',
                  row.key === highlighted ? 'outline-accent' : 'outline-transparent',
                )}
              >
                <RowView row={row} handlers={handlers} />
              </div>
            </div>
          )}
        </Virtualizer>
      </div>
      {isLoadingOlder && (
        <span className="absolute top-3 left-1/2 -ml-4 flex size-8 items-center justify-center rounded-full bg-raised shadow-raised">
          <Spinner label="Loading older messages" />
        </span>
      )}
      {isAway && (
        <Button size="small" onClick={toEnd} className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-raised">
          <Icon name="down" className="size-4" /> Jump to newest
        </Button>
      )}
    </div>
  )
}

/** The line under an answer shows itself only on hover, and is distance enough. */
function isAboveFooter(row: Row | undefined): boolean {
  return row?.kind === 'answer' && hasFooter(row)
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
