import { showPrinted } from '@longhaul/engine/display'
import { joinClasses } from '../join-classes.ts'

export interface PlainTextProps {
  /** What it is, read aloud. */
  readonly label: string
  readonly text: string
  readonly className?: string
}

/** Foreign text in a box that scrolls, by keyboard too. Hidden characters are made visible: a tool or a model chose them. */
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
      {showPrinted(text)}
    </pre>
  )
}
