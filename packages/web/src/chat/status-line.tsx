import type { Conversation } from '../session/conversation.ts'
import { Spinner } from '../ui/spinner.tsx'

const SENTENCES = {
  compacting: 'Optimizing conversation context…',
  flushing: 'Saving what matters to memory…',
} as const

/** What goes on beside the conversation, just above where the user types. */
export function StatusLine({ maintenance, connection }: Pick<Conversation, 'maintenance' | 'connection'>) {
  const sentence = connection === 'lost' ? 'The connection is lost. Trying again…' : maintenance && SENTENCES[maintenance]
  return (
    <div role="status" className="mx-auto h-7 w-full max-w-3xl px-5 text-[0.8125rem] text-muted">
      {sentence !== null && (
        <span className="inline-flex animate-rise items-center gap-2">
          <Spinner className="size-3.5" /> {sentence}
        </span>
      )}
    </div>
  )
}
