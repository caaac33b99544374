import { joinClasses } from '../../ui/join-classes.ts'
import { formatTokens } from '../../ui/text/format.ts'
import { LayerLegend } from './layer-legend.tsx'
import { findLayer } from './layers.ts'
import type { LayerId } from './layers.ts'
import type { LayerPlan } from './plan-layers.ts'

export interface LayerChartProps {
  readonly plan: LayerPlan
  readonly isWindowKnown: boolean
  readonly selected: LayerId | null
  readonly onSelect: (layer: LayerId) => void
}

/** The window as a stack: what is read first lies on top. */
export function LayerChart({ plan, isWindowKnown, selected, onSelect }: LayerChartProps) {
  const { layers, mark, overTokens } = plan
  return (
    <div className="mt-4">
      <div className="flex gap-3">
        <div className="relative w-14 shrink-0 sm:w-16" aria-hidden="true">
          <div className="flex h-full min-h-72 flex-col gap-px overflow-hidden rounded-lg border border-line-strong bg-surface">
            {layers.map(({ id, share }) => (
              <div
                key={id}
                className={joinClasses(
                  'min-h-[3px] basis-0 transition-[flex-grow,opacity] duration-700',
                  findLayer(id).fill,
                  selected !== null && selected !== id && 'opacity-35',
                )}
                style={{ flexGrow: share }}
              />
            ))}
          </div>
          {mark !== null && (
            <div
              className="absolute -inset-x-1 border-t-2 border-dashed border-ink"
              style={{ top: `${mark * 100}%` }}
            />
          )}
        </div>
        <LayerLegend plan={plan} selected={selected} onSelect={onSelect} />
      </div>
      <p className="mt-2 text-xs text-muted">
        {isWindowKnown
          ? 'The dashed line is the threshold: past it, older messages become a summary. '
          : 'How large the window is, nobody has said; the stack shows what is in it. '}
        Single sizes are estimates; together they make the total of the gauge.
      </p>
      {overTokens > 0 && (
        <p className="mt-2 text-[0.8125rem] font-medium text-danger">
          {formatTokens(overTokens)} more than the window holds. Longhaul makes it fit before the next request is sent.
        </p>
      )}
    </div>
  )
}
