import type { ReactNode } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'

export interface PageHeaderProps {
  readonly title: string
  readonly subtitle?: string | undefined
  /** Buttons at its end. */
  readonly children?: ReactNode
  /** Null: the list of chats is in sight. */
  readonly onOpenMenu: (() => void) | null
}

export function PageHeader({ title, subtitle, children, onOpenMenu }: PageHeaderProps) {
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line px-3 sm:gap-2 sm:px-5">
      {onOpenMenu !== null && <IconButton icon="menu" label="Chats" onClick={onOpenMenu} className="-ml-1" />}
      <div className="flex min-w-0 flex-1 items-baseline gap-3">
        <h1 className="truncate text-[0.9375rem] font-semibold">{title}</h1>
        {subtitle !== undefined && (
          <span className="hidden max-w-[45%] shrink-0 truncate text-xs text-muted sm:inline">{subtitle}</span>
        )}
      </div>
      {children}
    </header>
  )
}
