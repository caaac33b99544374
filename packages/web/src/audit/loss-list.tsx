import type { AuditLoss } from '@longhaul/protocol'
import { useState } from 'react'
import { describePlace } from './describe-place.ts'
import { LossDialog } from './loss-dialog.tsx'

export interface ListedLoss extends AuditLoss {
  readonly agentName?: string
  readonly title?: string | null
}

/** Each opens to the message it was lost from and the one that needed it. */
export function LossList({ losses }: { readonly losses: readonly ListedLoss[] }) {
  const [open, setOpen] = useState<ListedLoss | null>(null)
  return (
    <>
      <ul className="space-y-2">
        {losses.map((loss, place) => (
          <li key={place}>
            <button
              type="button"
              onClick={() => setOpen(loss)}
              className="w-full rounded-xl border border-line border-l-4 border-l-danger bg-surface px-4 py-2.5 text-left transition-colors hover:bg-hover"
            >
              <span className="block text-sm font-medium break-words">{loss.text}</span>
              <span className="block text-xs text-muted">
                {loss.kind}, needed {describePlace(loss.neededAt)}
                {loss.agentName !== undefined && `, ${loss.agentName}`}
                {typeof loss.title === 'string' && `: ${loss.title}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {open !== null && <LossDialog loss={open} onClose={() => setOpen(null)} />}
    </>
  )
}
