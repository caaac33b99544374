import type { ContextItem } from '@longhaul/protocol'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Virtualizer } from 'virtua'
import { Button } from '../../../ui/button.tsx'
import { formatCount, formatNumber } from '../../../ui/text/format.ts'
import { ItemButton } from './item-button.tsx'
import { findLayer } from '../layers.ts'
import type { LayerId } from '../layers.ts'
import { listRows } from './list-rows.ts'
import type { ItemRow } from './list-rows.ts'

export interface ItemListProps {
  readonly items: readonly ContextItem[]
  readonly only: LayerId | null
  readonly onShowAll: () => void
  readonly onOpen: (item: ContextItem) => void
}

/** Every item of the window. Only those in sight are in the page: there may be thousands. */
export function ItemList({ items, only, onShowAll, onOpen }: ItemListProps) {
  const rows = useMemo(() => listRows(items, only), [items, only])
  const { holder, scroller, startMargin } = useOuterScroll()
  return (
    <section aria-label="Items in the context window" className="mt-5">
      <div className="flex min-h-8 items-center gap-2">
        <h2 className="flex-1 text-sm font-semibold">
          {only === null ? formatCount(items.length, 'item') : findLayer(only).name}
        </h2>
        {only !== null && (
          <Button look="quiet" size="small" onClick={onShowAll}>
            Show all {formatNumber(items.length)}
          </Button>
        )}
      </div>
      <p className="mb-2 text-[0.8125rem] text-muted">Open one to read exactly what the model will read.</p>
      <div ref={holder}>
        {scroller !== null && (
          <Virtualizer as="ul" item="li" data={rows} scrollRef={{ current: scroller }} startMargin={startMargin}>
            {(row: ItemRow) => <Row key={keyOf(row)} row={row} onOpen={onOpen} />}
          </Virtualizer>
        )}
      </div>
    </section>
  )
}

function Row({ row, onOpen }: { readonly row: ItemRow; readonly onOpen: (item: ContextItem) => void }) {
  if (row.type === 'item') return <ItemButton item={row.item} onOpen={onOpen} />
  return (
    <h3 className="flex items-baseline gap-2 border-b border-line pt-3 pb-1 text-xs font-semibold text-muted">
      <span className="flex-1">
        {findLayer(row.layer).name} · {formatCount(row.itemCount, 'item')}
      </span>
      <span className="tabular-nums">{formatNumber(row.tokens)}</span>
    </h3>
  )
}

function keyOf(row: ItemRow): string {
  return row.type === 'heading' ? `# ${row.layer}` : row.item.id
}

/** The list scrolls with all that lies around it in its tab, instead of in a box of its own. */
function useOuterScroll() {
  const holder = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<{ readonly scroller: HTMLElement | null; readonly startMargin: number }>({
    scroller: null,
    startMargin: 0,
  })
  useLayoutEffect(() => {
    const list = holder.current
    const scroller = list?.closest<HTMLElement>('[role=tabpanel]')
    if (list === null || scroller === undefined || scroller === null) return undefined
    const measure = (): void => {
      const startMargin = list.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop
      setPlace((before) =>
        before.scroller === scroller && Math.abs(before.startMargin - startMargin) < 1
          ? before
          : { scroller, startMargin },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    for (const element of [scroller, ...(list.parentElement?.parentElement?.children ?? [])]) observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { holder, ...place }
}
