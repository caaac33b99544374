import type { Request } from '@longhaul/protocol'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatNumber, formatWhen } from '../../ui/text/format.ts'
import { describeOutcome } from './describe-outcome.ts'

export interface RequestTableProps {
  /** Newest first. */
  readonly requests: readonly Request[]
  readonly onOpen: (number: number) => void
}

const PAGE_ROWS = 20

/** The same as the chart, for reading and for the keyboard. */
export function RequestTable({ requests, onOpen }: RequestTableProps) {
  const [page, setPage] = useState(0)
  const pageCount = Math.max(1, Math.ceil(requests.length / PAGE_ROWS))
  const current = Math.min(page, pageCount - 1)
  const shown = requests.slice(current * PAGE_ROWS, (current + 1) * PAGE_ROWS)
  return (
    <section aria-label="Requests, newest first" className="mt-5">
      <table className="w-full text-[0.8125rem]">
        <thead className="text-left text-xs text-muted">
          <tr className="border-b border-line">
            <th scope="col" className="py-1 pr-2 font-medium">
              Request
            </th>
            <th scope="col" className="py-1 pr-2 font-medium">
              When
            </th>
            <th scope="col" className="py-1 pr-3 text-right font-medium">
              Tokens
            </th>
            <th scope="col" className="py-1 font-medium">
              Outcome
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((request) => (
            <RequestRow key={request.number} request={request} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
      {pageCount > 1 && (
        <nav aria-label="Pages of requests" className="mt-2 flex items-center gap-2 text-xs text-muted">
          <Button size="small" disabled={current === 0} onClick={() => setPage(current - 1)}>
            Newer
          </Button>
          <Button size="small" disabled={current === pageCount - 1} onClick={() => setPage(current + 1)}>
            Older
          </Button>
          <span role="status">
            Page {formatNumber(current + 1)} of {formatNumber(pageCount)}
          </span>
        </nav>
      )}
    </section>
  )
}

function RequestRow({ request, onOpen }: { readonly request: Request; readonly onOpen: RequestTableProps['onOpen'] }) {
  const { number, at, purpose, tokens, outcome } = request
  const { words, isFailure } = describeOutcome(outcome)
  return (
    <tr className="border-b border-line align-top">
      <td className="py-1.5 pr-2">
        <button
          type="button"
          onClick={() => onOpen(number)}
          aria-label={`Open request ${number}`}
          className="font-medium text-accent underline-offset-2 hover:underline"
        >
          #{number}
        </button>
      </td>
      <td className="py-1.5 pr-2 whitespace-nowrap text-muted">{formatWhen(at)}</td>
      <td className="py-1.5 pr-3 text-right tabular-nums">{tokens === null ? 'unknown' : formatNumber(tokens)}</td>
      <td className={isFailure ? 'py-1.5 font-medium text-danger' : 'py-1.5 text-muted'}>
        {purpose === 'turn' ? words : `${purpose}: ${words}`}
      </td>
    </tr>
  )
}
