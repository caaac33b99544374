import { useCallback, useState } from 'react'

/** A yes or no that this browser remembers. */
export function useKept(name: string, standard: boolean): readonly [value: boolean, keep: (value: boolean) => void] {
  const [value, setValue] = useState(() => {
    const kept = localStorage.getItem(name)
    return kept === null ? standard : kept === 'true'
  })
  const keep = useCallback(
    (next: boolean) => {
      localStorage.setItem(name, String(next))
      setValue(next)
    },
    [name],
  )
  return [value, keep]
}
