import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'

export interface FoldProps {
  readonly title: string
  /** At first. */
  readonly isOpen: boolean
  readonly children: ReactNode
}

/** A part of a card that can be folded away. */
export function Fold({ title, isOpen, children }: FoldProps) {
  return (
    <details open={isOpen} className="group/fold mt-3 border-t border-line pt-3">
      <summary className="flex cursor-pointer list-none items-center gap-1 text-[0.8125rem] font-semibold">
        <Icon name="chevron-right" className="size-4 text-muted transition-transform group-open/fold:rotate-90" />
        {title}
      </summary>
      <div className="mt-1 pl-5">{children}</div>
    </details>
  )
}
