import type { Loaded } from './use-loaded.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Problem } from './problem.tsx'

export interface LoadStateProps {
  readonly loaded: Pick<Loaded<unknown>, 'error' | 'reload'>
  /** What is not there yet, as in “Loading …”. */
  readonly what: string
}

/** In place of what is not there yet, or could not be loaded. */
export function LoadState({ loaded: { error, reload }, what }: LoadStateProps) {
  if (error === undefined)
    return (
      <p role="status" className="flex items-center gap-2 p-6 text-sm text-muted">
        <Spinner /> Loading {what} …
      </p>
    )
  return (
    <div className="space-y-3 p-6">
      <Problem error={error} />
      <Button size="small" onClick={reload}>
        Try again
      </Button>
    </div>
  )
}
