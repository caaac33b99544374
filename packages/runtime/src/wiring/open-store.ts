import { createSqliteStore } from '@longhaul/store'
import type { Store } from '@longhaul/store'
import type { Config } from '../config/config.ts'
import { readSqliteFile } from '../config/store-address.ts'

/** The configured store alone, for whoever looks at sessions without running them. */
export async function openStore({ places, postgres }: Pick<Config, 'places' | 'postgres'>): Promise<Store> {
  const file = readSqliteFile(places.store.value)
  if (file !== null) return createSqliteStore({ file })
  // Only here, so that nobody else loads its driver.
  const { createPostgresStore } = await import('@longhaul/store/postgres')
  return createPostgresStore({ url: places.store.value, ...postgres })
}
