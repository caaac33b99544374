import type { AuditLoss, AuditPlace } from '@longhaul/protocol'
import { showPrinted } from '@longhaul/engine/display'
import { Dialog } from '../ui/dialog.tsx'
import { describePlace } from './describe-place.ts'
import { showWhen } from './known.ts'

export interface LossDialogProps {
  readonly loss: AuditLoss
  readonly onClose: () => void
}

/** From a lost fact to both of its messages: where it was said, and where it was needed. */
export function LossDialog({ loss, onClose }: LossDialogProps) {
  const { kind, text, saidAt, neededAt } = loss
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      place="wide"
      title={text}
      description={`A fact (${kind}) that neither the summary nor what was kept beside it still had.`}
    >
      <div className="space-y-5">
        <Excerpt title="Said" place={saidAt} fact={text} />
        <Excerpt title="Needed" place={neededAt} fact={text} />
      </div>
    </Dialog>
  )
}

interface ExcerptProps {
  readonly title: string
  readonly place: AuditPlace
  readonly fact: string
}

function Excerpt({ title, place, fact }: ExcerptProps) {
  return (
    <section aria-label={title}>
      <h3 className="text-sm font-semibold">
        {title} {describePlace(place)}
      </h3>
      <p className="text-xs text-muted">{showWhen(place.at)}</p>
      <blockquote className="mt-2 rounded-xl border border-line bg-sunken px-4 py-3 text-sm break-words whitespace-pre-wrap">
        <Marked text={showPrinted(place.excerpt)} fact={fact} />
      </blockquote>
    </section>
  )
}

/** The words with the fact made visible, wherever it stands as it was first written. */
function Marked({ text, fact }: { readonly text: string; readonly fact: string }) {
  if (fact === '') return text
  const parts = text.split(fact)
  return parts.map((part, place) => (
    <span key={place}>
      {place > 0 && <mark className="rounded bg-warning-soft px-0.5 text-ink">{fact}</mark>}
      {part}
    </span>
  ))
}
