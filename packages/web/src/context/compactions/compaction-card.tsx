import type { Compaction } from '@longhaul/protocol'
import { useEffect, useRef } from 'react'
import { useClient } from '../../api/client-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { joinClasses } from '../../ui/join-classes.ts'
import { formatCount, formatUsd, formatWhen } from '../../ui/text/format.ts'
import { Problem } from '../../api/problem.tsx'
import { useAction } from '../../api/use-action.ts'
import { ask, describeWaiting, useHost } from '../../api/host.ts'
import { describeReason } from './describe-reason.ts'
import { explainScore } from './explain-score.ts'
import { LedgerFacts } from './ledger-facts.tsx'
import { numberSources } from './number-sources.ts'
import { ShrinkBar } from './shrink-bar.tsx'
import { SummarySections } from './summary-sections.tsx'

export interface CompactionCardProps {
  readonly sessionId: string
  readonly compaction: Compaction
  /** The how-manieth of its session. */
  readonly number: number
  /** The one in force: it can be taken back, and its summary is what the model reads. */
  readonly isNewest: boolean
  /** Somebody wants to see it; another object each time. */
  readonly wanted: object | null
  readonly onCite: (messageId: string) => void
  readonly onChange: () => void
}

export function CompactionCard(props: CompactionCardProps) {
  const { sessionId, compaction, number, isNewest, wanted, onCite, onChange } = props
  const client = useClient()
  const host = useHost()
  const undo = useAction(async () => {
    await ask(host, client.undo(sessionId))
    onChange()
  })
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (wanted !== null) card.current?.scrollIntoView({ block: 'start' })
  }, [wanted])
  const { at, reason, items, ledger, undone } = compaction
  const citing = { numbers: numberSources(items, ledger), onCite }
  return (
    <article
      ref={card}
      aria-label={`Compaction ${number}`}
      className={joinClasses(
        'scroll-mt-3 rounded-2xl border p-4',
        wanted !== null && 'animate-spot',
        undone ? 'border-dashed border-line-strong bg-sunken text-muted' : 'border-line bg-surface',
      )}
    >
      <header className="flex min-h-8 items-center gap-2">
        <h3 className="text-sm font-semibold">Compaction {number}</h3>
        <span className="flex-1 text-xs text-muted">{formatWhen(at)}</span>
        {undone && (
          <span className="rounded-full border border-line-strong px-2.5 py-0.5 text-xs font-medium">↩ Undone</span>
        )}
        {isNewest && host?.waiting.includes('undo') !== true && (
          <Button size="small" disabled={undo.isRunning} onClick={() => undo.run()}>
            <Icon name="undo" className="size-4" />
            Undo
          </Button>
        )}
      </header>
      {isNewest && host?.waiting.includes('undo') === true && (
        <p role="status" className="mt-1 text-[0.8125rem] font-medium">
          {describeWaiting('The undo', host)}
        </p>
      )}
      {undo.error !== undefined && (
        <div className="my-2">
          <Problem error={undo.error} />
        </div>
      )}
      {undone && (
        <p className="mt-1 text-[0.8125rem] font-medium">Taken back: the model reads the messages themselves again.</p>
      )}
      <p className="mt-1 text-[0.8125rem]">{describeReason(reason)}</p>
      <ShrinkBar compaction={compaction} />
      <CompactionFacts compaction={compaction} />
      <SummarySections compaction={compaction} isOpen={isNewest} {...citing} />
      <LedgerFacts ledger={ledger} {...citing} />
    </article>
  )
}

function CompactionFacts({ compaction: { score, model, cost, coveredIds } }: Pick<CompactionCardProps, 'compaction'>) {
  const { value, sentence } = explainScore(score)
  return (
    <>
      <p className="mt-3 text-[0.8125rem]">
        <span className="font-semibold">Coverage {value}.</span> <span className="text-muted">{sentence}</span>
      </p>
      <p className="mt-1 text-xs text-muted">
        {formatCount(coveredIds.length, 'message')} summarised
        {model === null ? ' without a model' : ` by ${model}`}
        {cost !== null && ` for ${formatUsd(cost)}`}.
      </p>
    </>
  )
}
