import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setGlobalProxyFromEnv } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMayStay } from '@longhaul/runtime/environment'
import type { Variables } from '@longhaul/runtime/environment'

/** Commands of the program that run for long and let models run commands of their own. */
const LONG_RUNNING: ReadonlySet<string> = new Set(['serve', 'chat'])
/** `FOLDER:KEY` of a hand-over. */
const HAND_OVER_NAME = 'LONGHAUL_HAND_OVER'
const FOLDER_PREFIX = 'longhaul-start-'
const FILE = 'environment'
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** A hand-over takes milliseconds; one that is older than this was never taken. */
const STALE_MS = 60_000

/** False: this system cannot, and secrets stay readable in the environment of the process. */
export function canStartClean(): boolean {
  return process.platform !== 'win32' && typeof process.execve === 'function' && process.channel === undefined
}

/**
 * The environment to read the configuration from. Every process of the same user can read the variables that a process
 * was started with, and deleting them changes nothing about it. So a program that runs for long replaces itself by a
 * process without them, and hands them over in a file that only this user can read, encrypted with a key that no disk
 * ever holds, and gone before anything else happens.
 */
export function startClean(words: readonly string[]): Variables {
  const handedOver = process.env[HAND_OVER_NAME]
  if (handedOver !== undefined) return receive(handedOver)
  const mayStay = createMayStay(process.env)
  const held = Object.entries(process.env).filter(([name, value]) => !mayStay(name, value ?? ''))
  if (held.length > 0 && words.some((word) => LONG_RUNNING.has(word)) && canStartClean()) startAgainWithout(held)
  return process.env
}

type Held = readonly (readonly [string, string | undefined])[]

function startAgainWithout(held: Held): void {
  removeStale()
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX))
  const key = randomBytes(32)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const text = [cipher.update(JSON.stringify(Object.fromEntries(held))), cipher.final()]
  writeFileSync(join(folder, FILE), Buffer.concat([nonce, ...text, cipher.getAuthTag()]), { mode: 0o600, flag: 'wx' })
  const names = new Set(held.map(([name]) => name))
  const rest = Object.entries(process.env).filter(([name]) => !names.has(name))
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...Object.fromEntries(rest),
    [HAND_OVER_NAME]: `${folder}:${key.toString('base64url')}`,
  })
}

function receive(handedOver: string): Variables {
  delete process.env[HAND_OVER_NAME]
  const [, folder = '', key = ''] = /^(.*):([^:]*)$/.exec(handedOver) ?? []
  const bytes = readFileSync(join(folder, FILE))
  rmSync(folder, { recursive: true, force: true })
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64url'), bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]
  const environment: Variables = { ...process.env, ...(JSON.parse(Buffer.concat(text).toString()) as Variables) }
  restoreProxy(environment)
  return environment
}

/** Node reads proxies when it starts; one with a password had been held back by then. */
function restoreProxy(environment: Variables): void {
  const { env, execArgv } = process
  const isWanted =
    env['NODE_USE_ENV_PROXY'] === '1' ||
    `${env['NODE_OPTIONS'] ?? ''} ${execArgv.join(' ')}`.includes('--use-env-proxy')
  const isChanged = Object.keys(environment).some((name) => /_proxy$/i.test(name) && env[name] === undefined)
  if (isWanted && isChanged) setGlobalProxyFromEnv({ ...environment })
}

/** Left by a program that was killed in between. Without its key nobody can read it. */
function removeStale(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue
    const folder = join(tmpdir(), name)
    try {
      if (Date.now() - statSync(folder).mtimeMs > STALE_MS) rmSync(folder, { recursive: true })
    } catch {
      // Another start has removed it, or it belongs to another user.
    }
  }
}
