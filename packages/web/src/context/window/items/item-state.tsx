import type { ContextItem } from '@longhaul/protocol'
import { joinClasses } from '../../../ui/join-classes.ts'
import { ITEM_STATES } from './item-states.ts'

/** By sign and word, so that nobody needs the colour. */
export function ItemState({ state }: { readonly state: ContextItem['state'] }) {
  const { sign, name, isQuiet } = ITEM_STATES[state]
  return (
    <span
      className={joinClasses(
        'inline-flex items-center gap-1 text-xs whitespace-nowrap',
        isQuiet ? 'text-muted' : 'font-medium text-warning',
      )}
    >
      <span aria-hidden="true">{sign}</span>
      {name}
    </span>
  )
}
