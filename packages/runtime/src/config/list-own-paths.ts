import type { Config } from './config.ts'
import { readSqliteFile } from './store-address.ts'

/** Files and folders that no tool has business with: conversations, the configuration with its keys. */
export function listOwnPaths({ dataFolder, configFile, store }: Config['places']): readonly string[] {
  const file = readSqliteFile(store.value)
  const ofStore = file === null ? [] : [file, `${file}-wal`, `${file}-shm`]
  return [dataFolder.value, configFile.value, ...ofStore]
}
