import type { Environment } from '@longhaul/models'
import { RuntimeError } from '../../runtime-error.ts'
import type { Config } from '../config.ts'
import { loadConfig } from '../load-config.ts'

const FOLDER = '/etc/longhaul'

/** A configuration from the text of its file. */
export function loadFile(source: string, environment: Environment = {}): Promise<Config> {
  return loadConfig({
    environment: { LONGHAUL_DATA: FOLDER, ...environment },
    homeFolder: '/home/ada',
    currentFolder: '/work',
    readFile: () => Promise.resolve(source),
  })
}

/** What is said about a file that is refused, one issue a line; none if it is taken. */
export async function refusalOf(source: string): Promise<readonly string[]> {
  try {
    await loadFile(source)
    return []
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error
    return error.message.split('\n').map((line) => line.replace(`${FOLDER}/`, ''))
  }
}
