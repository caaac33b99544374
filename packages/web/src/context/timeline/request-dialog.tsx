import type { RequestDetail } from '@longhaul/protocol'
import { useClient } from '../../api/client-context.tsx'
import { useLoaded } from '../../api/use-loaded.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatCount, formatTokens, formatWhen } from '../../ui/text/format.ts'
import { LoadState } from '../../api/load-state.tsx'
import { describeOutcome } from './describe-outcome.ts'
import { RequestItems } from './request-items.tsx'

export interface RequestDialogProps {
  readonly sessionId: string
  readonly number: number
  readonly onClose: () => void
}

/** A request of the past: what the model saw, and what came of it. */
export function RequestDialog({ sessionId, number, onClose }: RequestDialogProps) {
  const client = useClient()
  const loaded = useLoaded(() => client.getRequest(sessionId, number), [client, sessionId, number])
  const { value: request } = loaded
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      place="wide"
      title={`Request #${number}: what the model saw`}
      description={request === undefined ? 'Reading it back from the transcript.' : describe(request)}
    >
      {request === undefined ? <LoadState loaded={loaded} what="the request" /> : <RequestView request={request} />}
    </Dialog>
  )
}

function describe({ at, model, tokens, source, items }: RequestDetail): string {
  const size = tokens === null ? 'size unknown' : `${formatTokens(tokens)} (${source})`
  return `Sent ${formatWhen(at)} to ${model}: ${size}, ${formatCount(items.length, 'item')}.`
}

function RequestView({ request }: { readonly request: RequestDetail }) {
  const { exact, reason, outcome, items } = request
  const { words, isFailure, bill } = describeOutcome(outcome)
  return (
    <>
      <p
        className={
          exact
            ? 'mt-1 rounded-xl bg-accent-soft px-3 py-2 text-[0.8125rem]'
            : 'mt-1 rounded-xl bg-warning-soft px-3 py-2 text-[0.8125rem] text-warning'
        }
      >
        {exact
          ? '✓ Exact: byte for byte what was sent; a checksum taken then still matches.'
          : `≈ Not byte for byte. ${reason ?? 'What changed since is not known.'}`}
      </p>
      <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-[0.8125rem]">
        <Fact name="Outcome" value={words} isBad={isFailure} />
        {bill.map(({ name, amount }) => (
          <Fact key={name} name={name} value={amount} />
        ))}
      </dl>
      <RequestItems items={items} />
    </>
  )
}

interface FactProps {
  readonly name: string
  readonly value: string
  readonly isBad?: boolean
}

function Fact({ name, value, isBad = false }: FactProps) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className={isBad ? 'font-medium text-danger' : 'font-medium tabular-nums'}>{value}</dd>
    </div>
  )
}
