import { useCallback, useEffect, useState } from 'react'
import type { DependencyList } from 'react'

export interface Loaded<Value> {
  /** The last one that came, also while the next is under way. */
  readonly value: Value | undefined
  readonly error: Error | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

interface Settled<Value> {
  readonly value: Value | undefined
  readonly error: Error | undefined
  readonly isLoading: boolean
}

/** Loads when it mounts and whenever `deps` change; an answer that comes after its time is dropped. */
export function useLoaded<Value>(load: () => Promise<Value>, deps: DependencyList): Loaded<Value> {
  const [attempt, setAttempt] = useState(0)
  const [settled, setSettled] = useState<Settled<Value>>({ value: undefined, error: undefined, isLoading: true })

  useEffect(() => {
    let isCurrent = true
    setSettled((before) => ({ ...before, isLoading: true }))
    load().then(
      (value) => isCurrent && setSettled({ value, error: undefined, isLoading: false }),
      (cause: unknown) => {
        const error = cause instanceof Error ? cause : new Error(String(cause))
        if (isCurrent) setSettled((before) => ({ value: before.value, error, isLoading: false }))
      },
    )
    return () => {
      isCurrent = false
    }
    // `load` is made anew on every render; `deps` say when it means something else.
  }, [...deps, attempt])

  const reload = useCallback(() => setAttempt((before) => before + 1), [])
  return { ...settled, reload }
}
