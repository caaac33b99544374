import type { CommandHelp } from '@longhaul/protocol'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { findCompletions, isWhole } from './slash-commands.ts'

export interface Completion {
  readonly options: readonly CommandHelp[]
  readonly active: number
  readonly onPick: (command: CommandHelp) => void
  /** Begins anew; for whenever something is typed. */
  readonly restart: () => void
  /** Whether the key was meant for it. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The commands a draft may become, and the one that the arrow keys have reached. */
export function useCompletion(
  draft: string,
  commands: readonly CommandHelp[],
  onPick: (command: CommandHelp) => void,
): Completion {
  const [reached, setReached] = useState(0)
  const [isClosed, setIsClosed] = useState(false)
  const options = isClosed ? [] : findCompletions(draft, commands)
  const count = options.length
  const active = Math.min(reached, count - 1)

  const onKey = ({ key }: KeyboardEvent): boolean => {
    const picked = options[active]
    if (picked === undefined || (key === 'Enter' && isWhole(draft, picked))) return false
    const move = MOVES[key]
    if (move !== undefined) setReached((active + move + count) % count)
    else if (key === 'Enter' || key === 'Tab') onPick(picked)
    else if (key === 'Escape') setIsClosed(true)
    else return false
    return true
  }
  const restart = (): void => {
    setReached(0)
    setIsClosed(false)
  }
  return { options, active, onPick, restart, onKey }
}
