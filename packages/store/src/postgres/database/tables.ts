import { escapeIdentifier } from 'pg'
import { StoreError } from '../../store-error.ts'

const NAMES = [
  'migrations',
  'sessions',
  'entries',
  'message_words',
  'inbox',
  'leases',
  'lease_tokens',
  'requests',
  'event_counters',
  'events',
  'artifacts',
  'artifact_contents',
  'learned',
  'learned_windows',
  'memory_documents',
  'memory_chunks',
  'memory_vectors',
] as const

/** Every name with its schema before it: nothing rests on a search path, which poolers do not keep. */
export type Tables = Readonly<Record<(typeof NAMES)[number], string>>

export function nameTables(schema: string): Tables {
  const prefix = escapeIdentifier(schema)
  return Object.fromEntries(NAMES.map((name) => [name, `${prefix}.${name}`])) as Tables
}

/** Short enough to be part of the name of a channel. */
export function checkSchemaName(schema: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,47}$/.test(schema) || schema.startsWith('pg_')) {
    throw new StoreError('invalid', 'The name of a schema must be 1 to 48 letters, digits and underscores.')
  }
}
