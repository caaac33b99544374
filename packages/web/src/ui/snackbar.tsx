import { Toast } from 'radix-ui'
import { createContext, useCallback, useContext, useRef, useState } from 'react'
import type { ReactNode } from 'react'

export interface SnackbarMessage {
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

type ShowSnackbar = (message: SnackbarMessage) => void

const SnackbarContext = createContext<ShowSnackbar>(() => undefined)

/** Shows a sentence at the bottom for a while; F8 brings the keyboard to it. */
export function useSnackbar(): ShowSnackbar {
  return useContext(SnackbarContext)
}

const SHOWN_MS = 8_000

/** Room for the newest few; older ones give way. */
const MOST_AT_ONCE = 3

export function SnackbarProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly (SnackbarMessage & { readonly id: number })[]>([])
  const count = useRef(0)
  const show = useCallback<ShowSnackbar>((message) => {
    const id = (count.current += 1)
    setShown((before) => [...before, { ...message, id }].slice(-MOST_AT_ONCE))
  }, [])
  const hide = (id: number): void => setShown((before) => before.filter((each) => each.id !== id))

  return (
    <SnackbarContext value={show}>
      <Toast.Provider duration={SHOWN_MS} swipeDirection="down" label="Notice">
        {children}
        {shown.map(({ id, text, action }) => (
          <Toast.Root
            key={id}
            onOpenChange={(isOpen) => {
              if (!isOpen) hide(id)
            }}
            className="flex animate-rise items-center gap-3 rounded-xl bg-ink py-2.5 pr-2.5 pl-4 text-sm text-paper shadow-raised"
          >
            <Toast.Description className="min-w-0 flex-1">{text}</Toast.Description>
            {action !== undefined && (
              <Toast.Action altText={action.label} asChild>
                <button
                  type="button"
                  onClick={action.run}
                  className="rounded-lg px-2.5 py-1 font-semibold underline-offset-4 hover:underline"
                >
                  {action.label}
                </button>
              </Toast.Action>
            )}
            <Toast.Close
              aria-label="Dismiss"
              className="inline-flex size-7 items-center justify-center rounded-lg hover:bg-paper/15"
            >
              ×
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport className="fixed bottom-36 left-1/2 z-50 flex w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 flex-col gap-2 outline-none" />
      </Toast.Provider>
    </SnackbarContext>
  )
}
