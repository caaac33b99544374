import { ApiError } from '@longhaul/protocol'
import { Button } from '../ui/button.tsx'

export interface ChatFailureProps {
  readonly error: Error
  readonly onRetry: () => void
}

/** Why the conversation cannot be shown, and what to do. */
export function ChatFailure({ error, onRetry }: ChatFailureProps) {
  const isGone = error instanceof ApiError && error.code === 'not-found'
  return (
    <div role="alert" className="mx-auto mt-10 flex max-w-md flex-col items-center gap-4 px-6 text-center">
      <p>{isGone ? 'This chat does not exist, or was deleted.' : error.message}</p>
      {isGone ? (
        <a href="#/" className="font-medium text-accent underline-offset-4 hover:underline">
          Start a new chat
        </a>
      ) : (
        <Button onClick={onRetry}>Try again</Button>
      )}
    </div>
  )
}
