import { Dialog as Radix } from 'radix-ui'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { IconButton } from './icon-button.tsx'
import { joinClasses } from './join-classes.ts'
import { useEscape } from './use-escape.ts'

const PLACES = {
  center:
    'top-1/2 left-1/2 max-h-[85dvh] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 rounded-2xl border border-line',
  wide: 'top-1/2 left-1/2 max-h-[85dvh] w-[calc(100vw-2rem)] max-w-4xl -translate-x-1/2 -translate-y-1/2 rounded-2xl border border-line',
  left: 'inset-y-0 left-0 w-80 max-w-[85vw] border-r border-line',
  right: 'inset-y-0 right-0 w-104 max-w-[92vw] border-l border-line',
  bottom: 'inset-x-0 bottom-0 h-[85dvh] rounded-t-2xl border-t border-line',
} as const

export interface DialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** Buttons, the main one last. */
  readonly footer?: ReactNode
  readonly place?: keyof typeof PLACES
  /** For content that has a heading of its own; the title is then only read aloud. */
  readonly isBare?: boolean
  /** For content that keeps its own distance to the edges. */
  readonly isFlush?: boolean
}

/** Takes the focus and gives it back; Escape and a click beside it close it. */
export function Dialog({ isOpen, onOpenChange, place = 'center', ...content }: DialogProps) {
  const { title, description, children, footer, isBare = false, isFlush = isBare } = content
  // Without a trigger of its own, Radix does not know whom to give the focus back to.
  const opener = useRef<Element | null>(null)
  const box = useRef<HTMLDivElement>(null)
  useEscape(box, isOpen, () => onOpenChange(false))
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          ref={box}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          // Rather than the first button in it, whose tooltip would open.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            opener.current = document.activeElement
            if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // Without scrolling: what closed it may have led somewhere else.
            if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
          }}
          className={joinClasses(
            'fixed z-40 flex flex-col overflow-hidden bg-surface shadow-raised outline-none',
            PLACES[place],
          )}
        >
          {isBare ? (
            <Radix.Title className="sr-only">{title}</Radix.Title>
          ) : (
            <header className={joinClasses('flex items-start gap-3', isFlush ? 'px-4 pt-4 pb-1' : 'px-6 pt-5 pb-2')}>
              <div className="min-w-0 flex-1">
                <Radix.Title className="text-base font-semibold break-words">{title}</Radix.Title>
                {description !== undefined && (
                  <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>
                )}
              </div>
              <Radix.Close asChild>
                <IconButton icon="close" label="Close" className="-mt-1 -mr-2" />
              </Radix.Close>
            </header>
          )}
          <div className={joinClasses('min-h-0 flex-1 overflow-y-auto', !isFlush && 'px-6 pb-6')}>{children}</div>
          {footer !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4">{footer}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
