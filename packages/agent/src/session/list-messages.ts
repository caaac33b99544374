import type { Item, State } from '@longhaul/engine'

/** Every message of the context that is stored as one: what the base carries along, then the rest. */
export function listMessages({ carried, window }: State): readonly Item[] {
  return [...carried, ...window.backing.slice(window.start, window.end)]
}
