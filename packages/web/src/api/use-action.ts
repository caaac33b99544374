import { useState } from 'react'

export interface Action<Input extends readonly unknown[]> {
  readonly run: (...input: Input) => void
  readonly isRunning: boolean
  /** Why the last one was refused; gone with the next. */
  readonly error: Error | undefined
}

/** Something a button does on the server: one at a time, with what went wrong. */
export function useAction<Input extends readonly unknown[]>(act: (...input: Input) => Promise<void>): Action<Input> {
  const [state, setState] = useState<Pick<Action<Input>, 'isRunning' | 'error'>>({ isRunning: false, error: undefined })
  return {
    ...state,
    run: (...input) => {
      if (state.isRunning) return
      setState({ isRunning: true, error: undefined })
      act(...input).then(
        () => setState({ isRunning: false, error: undefined }),
        (cause: unknown) =>
          setState({ isRunning: false, error: cause instanceof Error ? cause : new Error(String(cause)) }),
      )
    },
  }
}
