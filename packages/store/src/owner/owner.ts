import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Owner } from '../port/leases.ts'

/** This process as an owner of sessions. Make one for each store that is opened. */
export function createOwner(address?: string): Owner {
  return {
    id: randomUUID(),
    host: thisHost(),
    pid: process.pid,
    startedAt: ownStart() ?? '',
    ...(address === undefined ? {} : { address }),
  }
}

/** Stands as owner of a session that was given back with work for the next one. */
export const NOBODY: Owner = { id: '', host: '', pid: 0, startedAt: '' }

/** Dead for sure: it ran on this very host, and its pid is free or belongs to a process that started later. */
export function isDead(owner: Owner): boolean {
  if (owner.host !== thisHost()) return false
  // Asked at every message, mostly about this very process.
  const startedAt = owner.pid === process.pid ? ownStart() : startOf(owner.pid)
  if (startedAt === null) return !isRunning(owner.pid)
  return owner.startedAt !== '' && startedAt !== owner.startedAt
}

let own: { readonly startedAt: string | null } | undefined

function ownStart(): string | null {
  own ??= { startedAt: startOf(process.pid) }
  return own.startedAt
}

let host: string | undefined

/** A container has the name and pids of its own, a reboot starts pids anew: both make it another host. */
function thisHost(): string {
  host ??= [hostname(), readIfThere('/proc/sys/kernel/random/boot_id'), pidNamespace()].join(' ')
  return host
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** In clock ticks since boot, from Linux; null where that cannot be told. A zombie has ended. */
function startOf(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`)
  // The name in brackets may hold anything, so fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startedAt] = [fields[0], fields[19]]
  if (stat === '' || state === 'Z' || state === 'X' || startedAt === undefined) return null
  return startedAt
}

function isRunning(pid: number): boolean {
  if (readIfThere(`/proc/${pid}/stat`) !== '') return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
