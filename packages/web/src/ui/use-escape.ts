import { useEffect } from 'react'
import type { RefObject } from 'react'

/**
 * Runs when Escape is pressed inside an element, or where nothing has the focus. Radix gives the key only to what was
 * opened last, which for a dialog may be a tooltip or a notice over it.
 */
export function useEscape(element: RefObject<HTMLElement | null>, isActive: boolean, run: () => void): void {
  useEffect(() => {
    const onKeyDown = ({ key, target }: KeyboardEvent): void => {
      if (!isActive || key !== 'Escape' || !(target instanceof Node)) return
      // Its menus and dialogs lie outside of it.
      if (target === document.body || element.current?.contains(target) === true) run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [element, isActive, run])
}
