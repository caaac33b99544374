export interface CitationsProps {
  /** Ids of messages. */
  readonly sources: readonly string[]
  readonly numbers: ReadonlyMap<string, number>
  readonly onCite: (messageId: string) => void
}

/** More would be longer than what they prove. */
const MOST_SHOWN = 6

/** [1] [2]: each leads to the message that a line rests on. */
export function Citations({ sources, numbers, onCite }: CitationsProps) {
  const shown = sources.slice(0, MOST_SHOWN)
  return (
    <span className="text-xs whitespace-nowrap">
      {shown.map((id) => (
        <span key={id}>
          {' '}
          <button
            type="button"
            onClick={() => onCite(id)}
            aria-label={`Show original message ${numbers.get(id)}`}
            className="rounded px-0.5 font-medium text-accent tabular-nums hover:bg-accent-soft"
          >
            [{numbers.get(id)}]
          </button>
        </span>
      ))}
      {sources.length > shown.length && <span className="text-muted"> +{sources.length - shown.length}</span>}
    </span>
  )
}
