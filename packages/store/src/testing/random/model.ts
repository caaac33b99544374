import type { Entry, JsonObject } from '@longhaul/engine/advanced'
import type { Lease } from '../../port/leases.ts'
import type { CaseContext } from '../conformance-case.ts'
import type { Random } from './random.ts'

/** What a store should hold, in the plainest words: no texts, no indexes, no clock of its own. */
export interface Model {
  readonly sessions: Map<string, ModelSession>
  /** Every lease that was ever given out, the lost ones too. */
  readonly leases: ModelLease[]
  now: number
}

export interface ModelSession {
  readonly entries: Entry[]
  deletedAt: number | null
  readonly inbox: ModelItem[]
  /** The lease in force, run out or not. */
  lease: ModelLease | null
  work: JsonObject | null
  readonly artifacts: Map<string, { at: number; readonly content: string }>
  readonly events: JsonObject[]
}

interface ModelItem {
  readonly id: string
  readonly text: string
  isSettled: boolean
}

export interface ModelLease {
  readonly lease: Lease
  expiresAt: number
}

/** A store and the model of it, and what is random about the run. */
export interface World extends CaseContext {
  readonly model: Model
  readonly random: Random
  /** Names that were not used before. */
  readonly createId: () => string
}

export const SESSION_IDS = ['s0', 's1', 's2', 's3'] as const
export const OWNER_IDS = ['ada', 'ben', 'cleo'] as const

export function createModelSession(): ModelSession {
  return {
    entries: [],
    deletedAt: null,
    inbox: [],
    lease: null,
    work: null,
    artifacts: new Map(),
    events: [],
  }
}

export function isCurrent({ sessions }: Model, held: ModelLease): boolean {
  return sessions.get(held.lease.sessionId)?.lease === held
}

export function isExpired({ now }: Model, { expiresAt }: ModelLease): boolean {
  return expiresAt <= now
}
