import type { ComponentProps } from 'react'
import { joinClasses } from './join-classes.ts'

export interface TextFieldProps extends ComponentProps<'input'> {
  /** Read aloud; the placeholder is for the eye. */
  readonly label: string
}

export function TextField({ label, className, ...rest }: TextFieldProps) {
  return (
    <input
      type="text"
      aria-label={label}
      className={joinClasses(
        'h-10 w-full rounded-xl border border-line bg-surface px-3 text-sm text-ink placeholder:text-muted',
        'focus-visible:border-accent focus-visible:outline-offset-0',
        className,
      )}
      {...rest}
    />
  )
}
