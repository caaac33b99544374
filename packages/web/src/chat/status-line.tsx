import type { Conversation } from '../session/conversation.ts'
import { joinClasses } from '../ui/join-classes.ts'
import { Spinner } from '../ui/spinner.tsx'

const SENTENCES = {
  compacting: 'Optimizing conversation context…',
  flushing: 'Saving what matters to memory…',
} as const

export interface StatusLineProps extends Pick<Conversation, 'maintenance' | 'connection'> {
  /** Said while nothing goes on. */
  readonly hint: string | null
}

/** What goes on beside the conversation, just above where the user types. */
export function StatusLine({ maintenance, connection, hint }: StatusLineProps) {
  const isLost = connection === 'lost'
  const sentence = isLost ? 'The connection is lost. Trying again…' : maintenance && SENTENCES[maintenance]
  return (
    <div role="status" className="h-7 truncate px-1 text-[0.8125rem] text-muted">
      {sentence !== null && (
        <span
          key={sentence}
          className={joinClasses('inline-flex items-center gap-2', isLost ? 'animate-rise-late' : 'animate-rise')}
        >
          <Spinner className="size-3.5" /> {sentence}
        </span>
      )}
      {sentence === null && hint}
    </div>
  )
}
