import { homedir } from 'node:os'
import { createRuntime, loadConfig, openStore } from '@longhaul/runtime'
import type { Config, ConfigOverrides, LogLine, Runtime, Store } from '@longhaul/runtime'
import type { Invocation } from '../program/invocation.ts'

/** The configuration as options, environment and file have it. */
export async function readConfig(
  { options, environment }: Pick<Invocation, 'options' | 'environment'>,
  file?: string,
): Promise<Config> {
  const { data, config = file, store } = options
  const overrides: ConfigOverrides = {
    ...(data === undefined ? {} : { data }),
    ...(config === undefined ? {} : { config }),
    ...(store === undefined ? {} : { store }),
  }
  return loadConfig({ environment, homeFolder: homedir(), overrides })
}

export interface RuntimeWishes {
  /** Where log lines go; without it, warnings and with `--verbose` all of them to stderr. */
  readonly log?: (line: LogLine) => void
}

/** Opens the whole system for a command and closes it after, whatever comes of it. */
export async function withRuntime<T>(
  invocation: Invocation,
  use: (runtime: Runtime) => Promise<T>,
  { log = createLog(invocation) }: RuntimeWishes = {},
): Promise<T> {
  const runtime = await createRuntime(await readConfig(invocation), { log })
  try {
    return await use(runtime)
  } finally {
    await runtime.close()
  }
}

/** Opens the store alone, for commands that run no model. */
export async function withStore<T>(
  invocation: Invocation,
  use: (store: Store, config: Config) => Promise<T>,
): Promise<T> {
  const config = await readConfig(invocation)
  const store = await openStore(config)
  try {
    return await use(store, config)
  } finally {
    await store.close()
  }
}

/** The user hears of doubts about the configuration; the rest is for whoever asks for it. */
function createLog({ options, output }: Invocation): (line: LogLine) => void {
  return ({ level, event, message }) => {
    if (options.verbose === true || (level === 'warn' && event === 'configuration'))
      output.note(output.paint.dim(`${level}: ${message}`))
  }
}
