import type { Store } from '../port/store.ts'
import type { BackupInfo, BackupOptions } from './backup-format.ts'
import { checkBackup, readBackup } from './read-backup.ts'

/**
 * Fills an empty store from a backup of any kind of store, all or nothing. The whole file is read and checked before the
 * store is touched: half a restore would look like a whole one.
 */
export async function restoreBackup(file: string, store: Store, options: BackupOptions = {}): Promise<BackupInfo> {
  const { signal } = options
  const info = await checkBackup(file, signal === undefined ? {} : { signal })
  await store.load(readBackup(file, options))
  return info
}
