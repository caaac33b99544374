import type { ComponentProps } from 'react'
import { joinClasses } from './join-classes.ts'

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-line bg-surface text-ink hover:bg-hover',
  quiet: 'text-ink hover:bg-hover',
  danger: 'bg-danger text-on-danger hover:opacity-90',
} as const

const SIZES = {
  small: 'h-8 gap-1.5 rounded-lg px-3 text-[0.8125rem]',
  medium: 'h-10 gap-2 rounded-xl px-4 text-sm',
} as const

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: keyof typeof LOOKS
  readonly size?: keyof typeof SIZES
}

export function Button({ look = 'plain', size = 'medium', className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={joinClasses(
        'inline-flex shrink-0 items-center justify-center font-medium whitespace-nowrap transition-colors select-none',
        'disabled:pointer-events-none disabled:opacity-50',
        LOOKS[look],
        SIZES[size],
        className,
      )}
      {...rest}
    />
  )
}
