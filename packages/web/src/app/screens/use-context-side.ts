import { useState } from 'react'
import type { ContextView } from '../../context/context-view.ts'
import { useKept } from '../use-kept.ts'
import { WIDEST, useMedia } from '../use-media.ts'

export interface ContextSide {
  /** There is room for it beside the chat; else it is a sheet over it. */
  readonly isColumn: boolean
  readonly isOpen: boolean
  readonly setIsOpen: (isOpen: boolean) => void
  /** Makes way for the chat, where it lies over it. */
  readonly stepAside: () => void
  readonly view: ContextView
  readonly setView: (view: ContextView) => void
}

/** Whether the context is in sight, and which part of it. A column stays as it was left; a sheet begins closed. */
export function useContextSide(): ContextSide {
  const isColumn = useMedia(WIDEST)
  const [isKept, setIsKept] = useKept('context-panel', true)
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const [view, setView] = useState<ContextView>({ tab: 'window', compactionId: null })
  return {
    isColumn,
    isOpen: isColumn ? isKept : isSheetOpen,
    setIsOpen: isColumn ? setIsKept : setIsSheetOpen,
    stepAside: () => setIsSheetOpen(false),
    view,
    setView,
  }
}
