import type { JsonObject, Manifest, StoredManifest } from '@longhaul/engine/advanced'
import type { Requests, SettledRequest } from '../port/requests.ts'
import { parseObject } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import { restoreManifests } from '../records/restore-manifests.ts'
import { contentOf, findSession, getSession } from './data.ts'
import type { Data, SessionRow } from './data.ts'

export function createInMemoryRequests(data: Data): Requests {
  return {
    async add(sessionId, manifest) {
      const { requests } = getSession(data, sessionId)
      requests.set(manifest.number, { at: manifest.at, manifestText: JSON.stringify(manifest), outcomeText: null })
    },
    async settle(sessionId, number, outcome) {
      const row = getSession(data, sessionId).requests.get(number)
      if (row !== undefined) row.outcomeText = JSON.stringify(outcome)
    },
    async get(sessionId, number) {
      return findRequest(findSession(data, sessionId), number)
    },
    async getLast(sessionId) {
      const session = findSession(data, sessionId)
      return findRequest(session, numbersOf(session).at(-1) ?? 0)
    },
    async getLastNumber(sessionId) {
      return numbersOf(findSession(data, sessionId)).at(-1) ?? 0
    },
    async list(sessionId, { before = Infinity, limit }) {
      const session = findSession(data, sessionId)
      const earlier = numbersOf(session).filter((number) => number < before)
      const page = earlier.slice(-clampLimit(limit)).toReversed()
      const next = page.length < earlier.length ? (page.at(-1) ?? null) : null
      return { items: page.flatMap((number) => findRequest(session, number) ?? []), next }
    },
    async deleteBefore(at) {
      let deleted = 0
      for (const session of contentOf(data).sessions.values()) {
        const { requests } = session
        const newest = numbersOf(session).at(-1)
        for (const [number, row] of requests) {
          if (row.at < at && number !== newest && requests.delete(number)) deleted += 1
        }
      }
      return deleted
    },
  }
}

export function numbersOf(session: SessionRow | undefined): readonly number[] {
  return [...(session?.requests.keys() ?? [])].toSorted((first, second) => first - second)
}

export function readStored(session: SessionRow, number: number): StoredManifest | null {
  const text = session.requests.get(number)?.manifestText
  return text === undefined ? null : parseObject(text, `Request ${number} of session ${session.id}`)
}

export function readOutcome({ id, requests }: SessionRow, number: number): JsonObject | null {
  const text = requests.get(number)?.outcomeText ?? null
  return text === null ? null : parseObject(text, `The outcome of request ${number} of session ${id}`)
}

function findRequest(session: SessionRow | undefined, number: number): SettledRequest | null {
  const manifest = session === undefined ? null : findManifest(session, number)
  return session === undefined || manifest === null ? null : { manifest, outcome: readOutcome(session, number) }
}

/** Down to the nearest that was stored in full, and up again. */
function findManifest(session: SessionRow, number: number): Manifest | null {
  const chain: StoredManifest[] = []
  for (let at = number; ; at -= 1) {
    const stored = readStored(session, at)
    if (stored === null) return null
    chain.unshift(stored)
    if (stored.isFull) return restoreManifests(chain).at(-1) ?? null
  }
}
