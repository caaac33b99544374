import { createSqliteStore } from '@longhaul/store'
import type { Store } from '@longhaul/store'
import type { Config } from '../config/config.ts'
import { readSqliteFile } from '../config/store-address.ts'

/** The configured store alone, for whoever looks at sessions without running them. */
export async function openStore({
  places,
  postgres,
  storePassword,
}: Pick<Config, 'places' | 'postgres' | 'storePassword'>): Promise<Store> {
  const file = readSqliteFile(places.store.value)
  if (file !== null) return createSqliteStore({ file })
  // Only here, so that nobody else loads its driver.
  const { createPostgresStore } = await import('@longhaul/store/postgres')
  const { listenUrl, ...rest } = postgres
  return createPostgresStore({
    url: withPassword(places.store.value, storePassword),
    ...rest,
    ...(listenUrl === undefined ? {} : { listenUrl: withPassword(listenUrl, storePassword) }),
  })
}

/** The driver would look for `PGPASSWORD` in the environment of the process, which holds no secrets. */
function withPassword(address: string, password: string | null): string {
  const own = URL.parse(address)
  if (password === null || own === null || own.password !== '' || own.searchParams.has('password')) return address
  return `${address}${own.search === '' ? '?' : '&'}password=${encodeURIComponent(password)}`
}
