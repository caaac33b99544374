import type { Item, State } from '@longhaul/engine/advanced'

/** Every message of the context that is stored as one: what the base carries along, then the rest. */
export function listMessages({ carried, window }: State): readonly Item[] {
  return [...carried, ...window.backing.slice(window.start, window.end)]
}

/** Nothing has been said since the start or the last reset. */
export function isEmpty(state: State): boolean {
  const { kind } = state.head.base
  return (kind === 'start' || kind === 'reset') && listMessages(state).length === 0
}
