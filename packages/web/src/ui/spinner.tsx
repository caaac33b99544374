import { joinClasses } from './join-classes.ts'

export interface SpinnerProps {
  /** Read aloud; leave it out beside a text that says the same. */
  readonly label?: string
  readonly className?: string
}

export function Spinner({ label, className }: SpinnerProps) {
  return (
    <span
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'status', 'aria-label': label })}
      className={joinClasses(
        'inline-block size-4 shrink-0 animate-spin rounded-full border-2 border-line-strong border-t-accent',
        className,
      )}
    />
  )
}
