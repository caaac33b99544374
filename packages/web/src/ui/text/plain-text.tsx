import { joinClasses } from '../join-classes.ts'

export interface PlainTextProps {
  /** What it is, read aloud. */
  readonly label: string
  readonly text: string
  readonly className?: string
}

/** Text as it is, in a box that scrolls, by keyboard too. */
export function PlainText({ label, text, className }: PlainTextProps) {
  return (
    <pre
      role="region"
      aria-label={label}
      tabIndex={0}
      className={joinClasses(
        'overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs break-words whitespace-pre-wrap',
        className,
      )}
    >
      {text}
    </pre>
  )
}
