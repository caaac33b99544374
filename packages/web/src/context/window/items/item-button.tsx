import type { ContextItem } from '@longhaul/protocol'
import { joinClasses } from '../../../ui/join-classes.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import { ITEM_KINDS } from './item-kinds.ts'
import { ItemState } from './item-state.tsx'
import { findLayer, layerOf } from '../layers.ts'

export interface ItemButtonProps {
  readonly item: ContextItem
  readonly onOpen: (item: ContextItem) => void
}

export function ItemButton({ item, onOpen }: ItemButtonProps) {
  const { kind, label, state, tokens } = item
  return (
    <button
      type="button"
      onClick={() => onOpen(item)}
      className="flex w-full items-start gap-2 rounded-lg px-1 py-1.5 text-left hover:bg-hover"
    >
      <span
        aria-hidden="true"
        className={joinClasses('mt-1.5 h-6 w-1 shrink-0 rounded-full', findLayer(layerOf(kind)).fill)}
      />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-[0.8125rem] leading-5">{label}</span>
        <span className="flex gap-2 text-xs leading-4 text-muted">
          {ITEM_KINDS[kind]}
          <ItemState state={state} />
        </span>
      </span>
      <span className="text-[0.8125rem] leading-5 tabular-nums">
        {formatNumber(tokens)}
        <span className="sr-only"> tokens</span>
      </span>
    </button>
  )
}
