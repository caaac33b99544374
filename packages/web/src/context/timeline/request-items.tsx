import type { RequestDetail } from '@longhaul/protocol'
import { useState } from 'react'
import { VList } from 'virtua'
import { joinClasses } from '../../ui/join-classes.ts'
import { formatTokens } from '../../ui/text/format.ts'
import { ITEM_KINDS } from '../window/items/item-kinds.ts'
import { ItemState } from '../window/items/item-state.tsx'
import { findLayer, layerOf } from '../window/layers.ts'

type RequestItem = RequestDetail['items'][number]

/** All of a request in the order of sending. Only what is in sight is in the page. */
export function RequestItems({ items }: { readonly items: readonly RequestItem[] }) {
  // Kept here, because an item that is scrolled out of sight is forgotten.
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string): void => setUnfolded((before) => before.symmetricDifference(new Set([id])))
  return (
    <section
      aria-label="Items of the request, in the order of sending"
      className="mt-4 h-[48dvh] min-h-60 overflow-hidden rounded-xl border border-line bg-sunken"
    >
      <VList data={[...items]} tabIndex={0} className="p-2">
        {(item: RequestItem) => (
          <ItemText key={item.id} item={item} isOpen={unfolded.has(item.id)} onToggle={() => toggle(item.id)} />
        )}
      </VList>
    </section>
  )
}

/** Longer texts are folded, so that the shape of the request can be seen first. */
const FOLDED_CHARS = 600

interface ItemTextProps {
  readonly item: RequestItem
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function ItemText({ item, isOpen, onToggle }: ItemTextProps) {
  const { kind, state, tokens, text, label } = item
  const isLong = text !== null && text.length > FOLDED_CHARS
  return (
    <article className="mb-2 flex gap-2.5 rounded-lg bg-surface p-3">
      <span
        aria-hidden="true"
        className={joinClasses('w-1 shrink-0 self-stretch rounded-full', findLayer(layerOf(kind)).fill)}
      />
      <div className="min-w-0 flex-1">
        <h3 className="flex flex-wrap items-baseline gap-x-3 text-xs">
          <span className="font-semibold">{ITEM_KINDS[kind]}</span>
          <ItemState state={state} />
          <span className="ml-auto text-muted tabular-nums">{formatTokens(tokens)}</span>
        </h3>
        {text === null ? (
          <p className="mt-1 text-[0.8125rem] text-muted italic">{label}</p>
        ) : (
          <pre className="mt-1 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
            {isLong && !isOpen ? `${text.slice(0, FOLDED_CHARS).toWellFormed()} …` : text}
          </pre>
        )}
        {isLong && (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onToggle}
            className="mt-1 text-xs font-medium text-accent underline-offset-2 hover:underline"
          >
            {isOpen ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
          </button>
        )}
      </div>
    </article>
  )
}
