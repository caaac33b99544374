import { joinClasses } from '../../ui/join-classes.ts'
import { formatNumber, formatShare } from '../../ui/text/format.ts'
import { LAYER_IDS, findLayer } from './layers.ts'
import type { AnyLayerId, LayerId } from './layers.ts'
import type { DrawnLayer, LayerPlan } from './plan-layers.ts'

export interface LayerLegendProps {
  readonly plan: LayerPlan
  readonly selected: LayerId | null
  readonly onSelect: (layer: LayerId) => void
}

/** Name, size and share of every layer; one that holds items can be looked into. */
export function LayerLegend({ plan, selected, onSelect }: LayerLegendProps) {
  return (
    <ul aria-label="Layers of the context window" className="min-w-0 flex-1">
      {plan.layers.map((layer) => (
        <li key={layer.id}>
          {isFilled(layer.id) ? (
            <button
              type="button"
              aria-pressed={selected === layer.id}
              onClick={() => isFilled(layer.id) && onSelect(layer.id)}
              className="w-full rounded-lg px-2 py-1 text-left hover:bg-hover aria-pressed:bg-accent-soft"
            >
              <LegendRow layer={layer} />
            </button>
          ) : (
            <div className="px-2 py-1">
              <LegendRow layer={layer} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

function LegendRow({ layer: { id, tokens, share } }: { readonly layer: DrawnLayer }) {
  const { name, explanation, fill } = findLayer(id)
  return (
    <span className="flex items-start gap-2">
      <span
        aria-hidden="true"
        className={joinClasses('mt-1 size-3 shrink-0 rounded-sm border border-line-strong', fill)}
      />
      <span className="min-w-0 flex-1">
        <span className="block text-[0.8125rem] leading-5 font-medium">{name}</span>
        <span className="block text-xs leading-4 text-muted">{explanation}</span>
      </span>
      <span className="text-right text-[0.8125rem] leading-5 tabular-nums">
        <span className="block">
          {formatNumber(tokens)}
          <span className="sr-only"> tokens, </span>
        </span>
        <span className="block text-xs leading-4 text-muted">{formatShare(share)}</span>
      </span>
    </span>
  )
}

function isFilled(id: AnyLayerId): id is LayerId {
  return LAYER_IDS.some((each) => each === id)
}
