import type { CompactionEntry, Entry } from '@longhaul/engine/advanced'
import assert from 'node:assert/strict'
import { readEntryId } from '../store-load/acknowledged.ts'
import type { Report } from '../store-load/report.ts'
import type { Killed } from './run-contest.ts'

export interface CompactionTally {
  /** Bases that somebody tried to compact. */
  readonly bases: number
  readonly attempts: number
  /** Of the bases, those that more than one owner was at. */
  readonly ofSeveralOwners: number
}

/** Throws unless of all compactions of one base exactly one was stored, or none because every attempt came too late. */
export function judgeCompactions(
  reports: readonly Report[],
  stored: ReadonlyMap<string, readonly Entry[]>,
): CompactionTally {
  const attempts = reports.flatMap((report) =>
    report.type === 'appended' || report.type === 'rejected'
      ? report.entries.flatMap((entry) => (entry.type === 'compaction' ? [{ report, entry }] : []))
      : [],
  )
  const baseOf = (sessionId: string, { previous }: CompactionEntry) => `${sessionId} ${previous?.id ?? 'start'}`
  const winners = new Map<string, string>()
  for (const [sessionId, entries] of stored) {
    for (const entry of entries) {
      if (entry.type !== 'compaction') continue
      const base = baseOf(sessionId, entry)
      assert.ok(!winners.has(base), `${base} was compacted twice: by ${winners.get(base)} and by ${entry.id}.`)
      winners.set(base, entry.id)
    }
  }
  const bases = Map.groupBy(attempts, ({ report, entry }) => baseOf(report.sessionId, entry))
  for (const [base, tried] of bases) {
    const isDecided = tried.some(({ report }) => report.type === 'appended' || report.code !== 'lease-lost')
    assert.ok(!isDecided || winners.has(base), `Nobody won ${base}.`)
  }
  const ownersOf = (tried: typeof attempts) => new Set(tried.map(({ entry }) => readEntryId(entry.id)?.token)).size
  return {
    bases: bases.size,
    attempts: attempts.length,
    ofSeveralOwners: [...bases.values()].filter((tried) => ownersOf(tried) > 1).length,
  }
}

/**
 * How long after a kill somebody else had each session that the process owned. Throws if anybody was sent away because
 * of an owner that was already gone.
 */
export function judgeTakeovers(reports: readonly Report[], killed: readonly Killed[]): readonly number[] {
  for (const report of reports) {
    if (report.type !== 'refused') continue
    const dead = killed.find(({ ownerId }) => ownerId === report.holderId)
    assert.ok(dead === undefined || report.at <= dead.goneAt, `A dead process kept ${report.sessionId}.`)
  }
  const leases = reports.filter((report) => report.type === 'acquired' || report.type === 'released')
  const ordered = leases.toSorted((first, second) => first.at - second.at)
  return killed.flatMap(({ ownerId, killedAt }) => {
    const held = new Map<string, boolean>()
    for (const { type, sessionId, ownerId: by, at } of ordered) {
      if (at < killedAt) held.set(sessionId, type === 'acquired' && by === ownerId)
    }
    const sessionIds = [...held].flatMap(([sessionId, isHeld]) => (isHeld ? [sessionId] : []))
    return sessionIds.flatMap((sessionId) => {
      const next = ordered.find(
        (lease) => lease.sessionId === sessionId && lease.type === 'acquired' && lease.at >= killedAt,
      )
      return next === undefined ? [] : [next.at - killedAt]
    })
  })
}
