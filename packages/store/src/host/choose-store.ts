import { resolve } from 'node:path'
import { createInMemoryStore } from '../in-memory/create-in-memory-store.ts'
import { createOwner } from '../owner/owner.ts'
import type { Owner } from '../port/leases.ts'
import type { Store } from '../port/store.ts'
import { createSqliteStore } from '../sqlite/create-sqlite-store.ts'

/** Where the sessions of a host are kept: the path of an SQLite file, a `postgres://` address, or a store that is open already. */
export type StoreChoice = string | Store

/** A store together with the name under which this process owns sessions in it. */
export interface OwnedStore {
  readonly store: Store
  readonly owner: Owner
}

/** A host's call must not wait long for a file that another process has locked: it goes on without Longhaul instead. */
const BUSY_TIMEOUT_MS = 1_000

const byAddress = new Map<string, Promise<OwnedStore>>()
const byStore = new WeakMap<Store, Promise<OwnedStore>>()

/**
 * Opens the chosen store once for the whole process. Without a choice, sessions live in memory as long as the process
 * does. A store that could not be opened is tried again at the next call.
 */
export function chooseStore(choice: StoreChoice | undefined): Promise<OwnedStore> {
  if (typeof choice === 'object') {
    const known = byStore.get(choice) ?? Promise.resolve({ store: choice, owner: createOwner() })
    byStore.set(choice, known)
    return known
  }
  const address = choice === undefined || isPostgres(choice) ? (choice ?? '') : resolve(toPath(choice))
  const known = byAddress.get(address)
  if (known !== undefined) return known
  const opened = openAddress(address).then((store) => ({ store, owner: createOwner() }))
  byAddress.set(address, opened)
  opened.catch(() => byAddress.delete(address))
  return opened
}

async function openAddress(address: string): Promise<Store> {
  if (address === '') return createInMemoryStore()
  if (!isPostgres(address)) return createSqliteStore({ file: address, busyTimeoutMs: BUSY_TIMEOUT_MS })
  // Only here, so that nobody else loads its driver.
  const { createPostgresStore } = await import('../postgres/create-postgres-store.ts')
  return createPostgresStore({ url: address })
}

function isPostgres(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address)
}

function toPath(choice: string): string {
  return choice.replace(/^sqlite:/i, '')
}
