import { createMayStay } from '@longhaul/runtime/environment'
import type { Variables } from '@longhaul/runtime/environment'

/** Commands of the program that run for long. */
const LONG_RUNNING: ReadonlySet<string> = new Set(['serve', 'chat', 'gateway'])
const HAND_OVER_NAME = 'LONGHAUL_HAND_OVER'

/** False: this system cannot, and secrets stay readable in the environment of the process. */
export function canStartClean(): boolean {
  // A channel to the process that started this one would be lost.
  return process.platform !== 'win32' && typeof process.execve === 'function' && process.channel === undefined
}

/**
 * The environment to read the configuration from. Every process of the same user can read the variables that a process
 * was started with, and deleting them changes nothing about it. So a program that runs for long replaces itself by a
 * process without them, and hands them over.
 */
export async function startClean(words: readonly string[]): Promise<Variables> {
  const handedOver = process.env[HAND_OVER_NAME]
  if (handedOver !== undefined) {
    delete process.env[HAND_OVER_NAME]
    const { takeVariables } = await import('./hand-over.ts')
    const environment = { ...process.env, ...takeVariables(handedOver) }
    restoreProxy(environment)
    return environment
  }
  if (words.some((word) => LONG_RUNNING.has(word)) && canStartClean()) await startAgain()
  return process.env
}

/** Never returns if there is anything to hide. The process id, the terminal and the options of Node stay the same. */
async function startAgain(): Promise<void> {
  const mayStay = createMayStay(process.env)
  const all = Object.entries(process.env)
  const held = all.filter(([name, value = '']) => !mayStay(name, value))
  if (held.length === 0) return
  const { leaveVariables } = await import('./hand-over.ts')
  const staying = Object.fromEntries(all.filter(([name, value = '']) => mayStay(name, value)))
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...staying,
    [HAND_OVER_NAME]: leaveVariables(Object.fromEntries(held)),
  })
}

/** Node reads proxies when it starts; one with a password had been held back by then. */
function restoreProxy(environment: Variables): void {
  const { env, execArgv } = process
  const options = `${env['NODE_OPTIONS'] ?? ''} ${execArgv.join(' ')}`
  const isWanted = env['NODE_USE_ENV_PROXY'] === '1' || options.includes('--use-env-proxy')
  const isChanged = Object.keys(environment).some((name) => /_proxy$/i.test(name) && env[name] === undefined)
  // Loaded only here: it takes longer than all the rest of the start.
  if (isWanted && isChanged) process.getBuiltinModule('node:http').setGlobalProxyFromEnv({ ...environment })
}
