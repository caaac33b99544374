import type { JsonObject } from '@longhaul/engine/advanced'

/** Maintenance that must not vanish without a trace. */
type NotedWork = { readonly work: 'compaction' | 'flush' } | null

/** The tool calls in the note of an owner before, by their ids. */
export interface NotedCalls {
  /** A person was asked about them. Those that are not allowed as well have not run. */
  readonly asked: readonly string[]
  /** A person allowed them: they may have run. */
  readonly allowed: readonly string[]
}

/**
 * The note that lies with a session's lease while its owner works, for the owner after it: which maintenance is under
 * way, which tool calls wait for a person's answer, and which run because a person allowed them.
 */
export interface WorkNote {
  /** Said before maintenance starts; null when it is over. */
  readonly note: (work: NotedWork) => Promise<void>
  /** Said before a person is asked about a call. */
  readonly ask: (toolCallId: string) => Promise<void>
  /** Said before a call runs that somebody was asked about. */
  readonly begin: (toolCallId: string) => Promise<void>
  /** Said once the result of a call is stored. */
  readonly end: (toolCallId: string) => Promise<void>
  /** Replaces all that was noted of tool calls, by this owner or the one before: only these still wait for an answer. */
  readonly takeOver: (asked: readonly string[]) => Promise<void>
  /** Left to the next owner when this one goes: calls that it still has to ask about, or that may have run. */
  readonly left: () => JsonObject | null
}

/** `write` stores the note; writes never overtake each other. */
export function createWorkNote(write: (note: JsonObject | null) => Promise<void>): WorkNote {
  const asked = new Set<string>()
  const allowed = new Set<string>()
  let work: NotedWork = null
  let written: Promise<void> = Promise.resolve()

  function left(): JsonObject | null {
    if (asked.size === 0 && allowed.size === 0) return null
    return { work: 'tools', asked: [...asked], toolCallIds: [...allowed] }
  }

  function store(): Promise<void> {
    const next = written.then(() => write(work === null ? left() : { ...left(), ...work }))
    written = next.catch(() => undefined)
    return next
  }

  return {
    note(next) {
      work = next
      return store()
    },
    async ask(id) {
      if (asked.has(id)) return
      asked.add(id)
      await store()
    },
    async begin(id) {
      if (!asked.delete(id)) return
      allowed.add(id)
      await store()
    },
    async end(id) {
      const wasNoted = asked.delete(id)
      if (allowed.delete(id) || wasNoted) await store()
    },
    takeOver(ids) {
      asked.clear()
      allowed.clear()
      for (const id of ids) asked.add(id)
      return store()
    },
    left,
  }
}

export function readNotedCalls(note: JsonObject | null): NotedCalls {
  return { asked: readIds(note?.['asked']), allowed: readIds(note?.['toolCallIds']) }
}

function readIds(ids: unknown): readonly string[] {
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
}
