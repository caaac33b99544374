import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createSqliteStore } from '@longhaul/store'
import type { Store } from '@longhaul/store'
import type { Config } from '../config/config.ts'
import { readSqliteFile } from '../config/store-address.ts'

/** Conversations are nobody else's business. */
const OWNER_ONLY = 0o700

/** The configured store alone, for whoever looks at sessions without running them. */
export async function openStore({ places, postgres }: Pick<Config, 'places' | 'postgres'>): Promise<Store> {
  const file = readSqliteFile(places.store.value)
  if (file !== null) {
    await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY })
    return createSqliteStore({ file })
  }
  // Only here, so that nobody else loads its driver.
  const { createPostgresStore } = await import('@longhaul/store/postgres')
  return createPostgresStore({ url: places.store.value, ...postgres })
}
