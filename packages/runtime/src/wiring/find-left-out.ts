import type { LogLine } from '@longhaul/agent'
import type { Config } from '../config/config.ts'
import { createMemoryFolder } from './create-memory-folder.ts'
import { BOOTSTRAP_FILES, createBootstrapReader } from './read-bootstrap-file.ts'

/**
 * Files of the workspace and of memory that no session is given, each as a sentence that says why.
 * ```ts
 * for (const sentence of await findLeftOut(config)) console.error(sentence)
 * ```
 */
export async function findLeftOut({ places }: Config): Promise<readonly string[]> {
  const found: string[] = []
  const log = ({ message }: LogLine): void => void found.push(message)
  await Promise.all(BOOTSTRAP_FILES.map(createBootstrapReader(places.workspace.value, log)))
  if (places.memoryFolder.value !== null) await createMemoryFolder(places.memoryFolder.value, log).list()
  return found
}
