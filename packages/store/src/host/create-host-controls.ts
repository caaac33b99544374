import type { Controls } from '@longhaul/engine'
import type { HostSession } from './host-session.ts'

const NAMES = ['compact', 'undo', 'pin', 'unpin', 'reset', 'recall', 'entries', 'measure', 'settled'] as const

/** The controls of a host's conversation, for the program around it. Each opens the conversation from its store first. */
export type HostControls = {
  readonly [K in (typeof NAMES)[number]]: (
    ...given: Parameters<Controls[K]>
  ) => Promise<Awaited<ReturnType<Controls[K]>>>
} & {
  /** Waits a bounded time for work beside the conversation, then gives it back. For a process that ends. */
  readonly close: () => Promise<void>
}

export function createHostControls<M>(session: HostSession<M>): HostControls {
  const call = (name: (typeof NAMES)[number]) => [
    name,
    (...given: readonly unknown[]) =>
      session.control((controls) => (controls[name] as (...args: readonly unknown[]) => unknown)(...given)),
  ]
  return { ...Object.fromEntries(NAMES.map(call)), close: () => session.close() } as HostControls
}
