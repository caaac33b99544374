import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { formatCount } from '../ui/text/format.ts'
import { showTokens, showUsd, showWhen } from './known.ts'
import type { Overview } from './overview.ts'
import { SessionDetails } from './session-details.tsx'

type Head = Overview['sessions'][number]

/** One session in a line; open, with all its compactions. */
export function SessionItem({ session }: { readonly session: Head }) {
  const [isOpen, setIsOpen] = useState(false)
  const { number, id, title, agentName, startedAt, compactions, lost, refetchedTokens, costUsd } = session
  return (
    <li className="rounded-xl border border-line bg-surface">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full items-start gap-2 rounded-xl px-3 py-2.5 text-left transition-colors hover:bg-hover"
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} className="mt-0.5 size-4 text-muted" />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm font-medium">{title ?? `Session ${id.slice(0, 8)}`}</span>
          <span className="block text-xs text-muted tabular-nums">
            {agentName}, {showWhen(startedAt)} · {formatCount(compactions, 'compaction')} ·{' '}
            {formatCount(lost, 'fact lost', 'facts lost')} · {showTokens(refetchedTokens)} tokens fetched again ·{' '}
            {costUsd === null ? 'cost unknown' : showUsd(costUsd)}
          </span>
        </span>
      </button>
      {isOpen && <SessionDetails number={number} />}
    </li>
  )
}
