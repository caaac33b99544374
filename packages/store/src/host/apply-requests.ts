import { EngineError } from '@longhaul/engine'
import type { Mirror } from '@longhaul/engine'
import type { Entry, EntryType, JsonObject } from '@longhaul/engine/advanced'
import type { InboxItem } from '../port/inbox.ts'
import type { Lease } from '../port/leases.ts'
import type { Store } from '../port/store.ts'

/**
 * Carries out what people asked of a host's session elsewhere, such as an undo in the web app. It happens at the host's
 * next call, because only the host's process may write to the session meanwhile.
 */
export interface RequestDesk {
  readonly apply: <M>(store: Store, lease: Lease, mirror: Mirror<M>) => Promise<void>
  /** The request that these entries answer. Stored with them, so that after a crash it is not carried out twice. */
  readonly settles: (entries: readonly Entry[]) => readonly string[]
}

const ANSWERS: readonly EntryType[] = ['compaction-undone', 'pin', 'unpin']

export function createRequestDesk(): RequestDesk {
  let answering: string | null = null
  return {
    settles: (entries) => (answering !== null && entries.some(({ type }) => ANSWERS.includes(type)) ? [answering] : []),
    async apply(store, lease, mirror) {
      for (const item of await store.inbox.list(lease.sessionId)) {
        const tell = async (outcome: JsonObject): Promise<void> => {
          const event = { turnId: null, type: 'request-settled', id: item.id, outcome }
          await store.events.add(lease.sessionId, Date.now(), [event], lease).catch(() => undefined)
        }
        answering = item.id
        try {
          // A summary takes its time: the host's call does not wait for it.
          const outcome = item.kind === 'compact' ? null : await carryOut(item, mirror)
          await store.inbox.settle(lease, [item.id])
          void (outcome === null ? compact(item, mirror).then(tell) : tell(outcome))
        } finally {
          answering = null
        }
      }
    },
  }
}

async function carryOut<M>({ kind, payload }: InboxItem, mirror: Mirror<M>): Promise<JsonObject> {
  return orRefusal(async () => {
    if (kind === 'undo') return { undone: [...(await mirror.undo()).undone] }
    if (kind === 'pin') return { id: await mirror.pin(String(payload['text'] ?? '')) }
    if (kind !== 'unpin') return null
    await mirror.unpin(String(payload['pin'] ?? ''))
    return {}
  })
}

function compact<M>({ payload: { instructions } }: InboxItem, mirror: Mirror<M>): Promise<JsonObject> {
  return orRefusal(async () => ({
    ...(await mirror.compact(typeof instructions === 'string' ? { instructions } : {})),
  }))
}

/** null: the host's own program decides such things. */
async function orRefusal(act: () => Promise<JsonObject | null>): Promise<JsonObject> {
  try {
    const result = await act()
    return result === null ? refuse('invalid-request', NOT_HERE) : { ok: true, result }
  } catch (error) {
    return error instanceof EngineError ? refuse(codeOf(error), error.message) : refuse('internal', String(error))
  }
}

/** By the closed list of the API: an answer with another code could not be told. */
function codeOf({ code }: EngineError): string {
  return NO_CODES_OF_THE_API.has(code) ? 'invalid-request' : code
}

const NO_CODES_OF_THE_API: ReadonlySet<EngineError['code']> = new Set([
  'invalid-policy',
  'invalid-options',
  'invalid-message',
  'nothing-to-send',
])

const NOT_HERE = 'The program that keeps this conversation decides that.'

function refuse(code: string, message: string): JsonObject {
  return { ok: false, code, message }
}
