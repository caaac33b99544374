import type { AuditSession } from '@longhaul/protocol'
import { useClient } from '../api/client-context.tsx'
import { LoadState } from '../api/load-state.tsx'
import { useLoaded } from '../api/use-loaded.ts'
import { formatCount } from '../ui/text/format.ts'
import { describePlace } from './describe-place.ts'
import { showTokens, showUsd, showWhen } from './known.ts'
import { LossList } from './loss-list.tsx'

/** Every compaction of a session: what it lost, and what was fetched again after it. */
export function SessionDetails({ number }: { readonly number: number }) {
  const client = useClient()
  const loaded = useLoaded(() => client.getAuditedSession(number), [client, number])
  const { value } = loaded
  if (value === undefined) return <LoadState loaded={loaded} what="the session" />
  return (
    <div className="space-y-5 border-t border-line px-4 py-3 sm:pl-9">
      <p className="text-xs break-all text-muted">
        {value.path} · {value.model ?? 'model unknown'} · window {showTokens(value.windowTokens)} ·{' '}
        {formatCount(value.messages, 'message')}
      </p>
      {value.compactions.map((compaction, place) => (
        <CompactionPart key={place} compaction={compaction} number={place + 1} />
      ))}
    </div>
  )
}

interface CompactionPartProps {
  readonly compaction: AuditSession['compactions'][number]
  readonly number: number
}

function CompactionPart({ compaction, number }: CompactionPartProps) {
  const { at, trigger, tokensBefore, tokensAfter, tokensSource, facts, told, needed, lost, refetched, costUsd } =
    compaction
  return (
    <section aria-label={`Compaction ${number}`} className="space-y-2">
      <h3 className="text-sm font-semibold">
        Compaction {number} <span className="text-xs font-normal text-muted">{showWhen(at)}</span>
      </h3>
      <p className="text-[0.8125rem] text-muted tabular-nums">
        {showTokens(tokensBefore)} → {showTokens(tokensAfter)} tokens ({tokensSource}
        {trigger === null ? '' : `, ${trigger}`}). Of {formatCount(facts, 'fact')}, {told} stayed; {needed} were needed
        again, {lost.length} of them lost. Cost: {showUsd(costUsd)}.
      </p>
      {lost.length > 0 && <LossList losses={lost} />}
      {refetched.length > 0 && (
        <>
          <h4 className="text-[0.8125rem] font-medium">Fetched again</h4>
          <ul className="space-y-1 text-[0.8125rem]">
            {refetched.map((each, place) => (
              <li key={place} className="break-all">
                <code>{each.path ?? each.command ?? 'unknown'}</code>{' '}
                <span className="text-muted">
                  {showTokens(each.tokens)} tokens, {describePlace(each.at)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
