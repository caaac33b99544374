import type { Recalled } from '@longhaul/protocol'
import { formatWhen } from '../../ui/text/format.ts'
import { LongText } from '../rows/long-text.tsx'
import { useSessionActions } from '../session-context.tsx'

export interface RecallAnswerProps {
  readonly query: string
  readonly found: readonly Recalled[]
}

/** Old messages word for word, each leading to its place in the conversation. */
export function RecallAnswer({ query, found }: RecallAnswerProps) {
  const { scrollToMessage } = useSessionActions()
  if (found.length === 0) return <p>Nothing was said about “{query}”.</p>
  return (
    <ul className="max-h-96 space-y-3 overflow-y-auto">
      {found.map(({ id, role, at, text }) => (
        <li key={id} className="border-l-2 border-line pl-3">
          <p className="flex gap-2 text-xs text-muted">
            {role}, {formatWhen(at)}
            <button
              type="button"
              onClick={() => scrollToMessage(id)}
              className="font-medium text-accent underline-offset-4 hover:underline"
            >
              Show in the conversation
            </button>
          </p>
          <p className="mt-0.5 break-words whitespace-pre-wrap">
            <LongText text={text} />
          </p>
        </li>
      ))}
    </ul>
  )
}
