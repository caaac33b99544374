// Apart from the rest, so that whoever does not use PostgreSQL does not load its driver.
export { createPostgresStore } from './postgres/create-postgres-store.ts'
export type { PostgresStoreOptions } from './postgres/create-postgres-store.ts'
