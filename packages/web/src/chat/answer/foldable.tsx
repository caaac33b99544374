import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { joinClasses } from '../../ui/join-classes.ts'

export interface FoldableProps {
  /** The one line that always shows. */
  readonly line: ReactNode
  /** Made only when it is open. */
  readonly children: () => ReactNode
}

export function Foldable({ line, children }: FoldableProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="-ml-1.5 flex max-w-full items-center gap-1.5 rounded-lg px-1.5 py-1 text-left text-[0.8125rem] text-muted transition-colors hover:bg-hover hover:text-ink"
      >
        <Icon name="chevron-right" className={joinClasses('size-3.5 transition-transform', isOpen && 'rotate-90')} />
        {line}
      </button>
      {isOpen && (
        <div id={id} className="mt-1 mb-2 ml-2 border-l border-line pl-4">
          {children()}
        </div>
      )}
    </div>
  )
}
