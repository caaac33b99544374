import { Button } from '../ui/button.tsx'

export interface ChatFailureProps {
  readonly error: Error
  readonly onRetry: () => void
}

/** Why the conversation cannot be loaded; the server's sentence says what to do. */
export function ChatFailure({ error, onRetry }: ChatFailureProps) {
  return (
    <div role="alert" className="mx-auto mt-10 flex max-w-md flex-col items-center gap-4 px-6 text-center">
      <p>{error.message}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
