import { useEffect, useState } from 'react'
import type { Row } from '../../session/row.ts'
import { findRow } from './find-row.ts'

const HIGHLIGHT_MS = 2_500

export interface WantedRowInput {
  readonly rows: readonly Row[]
  /** A message to bring on screen; a new object each time. */
  readonly wanted: { readonly messageId: string } | null
  readonly hasOlder: boolean
  readonly onLoadOlder: () => void
  readonly onMissing: () => void
  readonly scrollTo: (index: number) => void
}

/** Brings a wanted message on screen once, loading older ones until it is there; returns the row to highlight. */
export function useWantedRow(input: WantedRowInput): string | null {
  const { rows, wanted, hasOlder, onLoadOlder, onMissing, scrollTo } = input
  const [sought, setSought] = useState(wanted)
  const [found, setFound] = useState<string | null>(null)
  useEffect(() => setSought(wanted), [wanted])

  useEffect(() => {
    if (sought === null) return
    const index = findRow(rows, sought.messageId)
    if (index === -1 && hasOlder) {
      onLoadOlder()
      return
    }
    setSought(null)
    if (index === -1) onMissing()
    else {
      scrollTo(index)
      setFound(rows[index]?.key ?? null)
    }
    // The functions are made anew on every render and mean the same.
  }, [sought, rows, hasOlder])

  useEffect(() => {
    const timer = setTimeout(() => setFound(null), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [found])
  return found
}
