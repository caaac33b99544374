import { useClient } from '../api/client-context.tsx'
import { useLoaded } from '../api/use-loaded.ts'
import { formatCount } from '../ui/text/format.ts'
import { LoadState } from '../api/load-state.tsx'
import { titleOf } from './order-files.ts'

export interface MemoryHitsProps {
  readonly query: string
  readonly onOpen: (name: string, line: number) => void
}

/** What the memory knows about something, best first; each leads to its line. */
export function MemoryHits({ query, onOpen }: MemoryHitsProps) {
  const client = useClient()
  const loaded = useLoaded(() => client.searchMemory(query), [client, query])
  if (loaded.value === undefined) return <LoadState loaded={loaded} what="what was found" />
  const { items } = loaded.value
  return (
    <>
      <p role="status" className="px-3 pb-1 text-xs text-muted">
        {items.length === 0
          ? 'Nothing found. Other words may help.'
          : `${formatCount(items.length, 'note')} found, best first`}
      </p>
      <ul aria-label="Notes found" className="space-y-0.5">
        {items.map(({ document, line, text, trusted }) => (
          <li key={`${document}:${line}`}>
            <button
              type="button"
              onClick={() => onOpen(document, line)}
              className="w-full rounded-lg px-3 py-2 text-left hover:bg-hover"
            >
              <span className="line-clamp-3 text-[0.8125rem] leading-5 break-words">{text}</span>
              <span className="block text-xs text-muted">
                {titleOf(document)}, line {line}
                {!trusted && ' · not from the user'}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
