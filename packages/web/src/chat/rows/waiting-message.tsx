import type { WaitingMessage as Waiting } from '../../session/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { LongText } from './long-text.tsx'

export interface WaitingMessageProps {
  readonly message: Waiting
  readonly onSendAgain: (message: Waiting) => void
  readonly onDiscard: (messageId: string) => void
}

/** Typed while an answer was under way: it is safe, and its turn comes. */
export function WaitingMessage({ message, onSendAgain, onDiscard }: WaitingMessageProps) {
  const { id, text, attachments, state, problem } = message
  return (
    <article aria-label="Waiting to be answered" className="flex flex-col items-end gap-1.5">
      <div
        dir="auto"
        className="max-w-[85%] rounded-2xl rounded-br-md border border-dashed border-line-strong px-4 py-2.5 break-words whitespace-pre-wrap"
      >
        <LongText text={text} />
        {attachments.length > 0 && <p className="text-[0.8125rem] text-muted">{attachments.length} attached</p>}
      </div>
      {state === 'failed' ? (
        <div className="flex flex-wrap items-center justify-end gap-2 text-[0.8125rem] text-danger" role="alert">
          <span>Not sent: {problem}</span>
          <Button size="small" onClick={() => onSendAgain(message)}>
            Send again
          </Button>
          <Button size="small" look="quiet" onClick={() => onDiscard(id)}>
            Discard
          </Button>
        </div>
      ) : (
        <p className="flex items-center gap-1.5 text-xs text-muted">
          {state === 'sending' ? <Spinner className="size-3" /> : null}
          {state === 'sending' ? 'Sending' : 'Queued'}
        </p>
      )}
    </article>
  )
}
