import type { ComponentProps } from 'react'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'
import { joinClasses } from './join-classes.ts'
import { Tooltip } from './tooltip.tsx'

const LOOKS = {
  quiet: 'rounded-lg text-muted hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent',
  outline: 'rounded-full border border-line-strong text-ink hover:bg-hover',
  primary: 'rounded-full bg-accent text-on-accent hover:bg-accent-strong',
} as const

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  readonly icon: IconName
  /** What it does; read aloud, and shown on hover. */
  readonly label: string
  readonly look?: keyof typeof LOOKS
}

export function IconButton({ icon, label, look = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        aria-label={label}
        className={joinClasses(
          'inline-flex size-9 shrink-0 items-center justify-center transition-colors',
          'disabled:pointer-events-none disabled:opacity-50',
          LOOKS[look],
          className,
        )}
        {...rest}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  )
}
