import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Variables } from '@longhaul/runtime/environment'

const FOLDER_PREFIX = 'longhaul-start-'
const FILE = 'environment'
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** A hand-over takes milliseconds; one that is older than this was never taken. */
const STALE_MS = 60_000

/**
 * Leaves variables for the next process: in a file that only this user can read, encrypted with a key that no disk ever
 * holds. Returns what that process needs to take them.
 */
export function leaveVariables(variables: Variables): string {
  removeStale()
  const folder = mkdtempSync(join(tmpdir(), FOLDER_PREFIX))
  const key = randomBytes(KEY_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const text = [cipher.update(JSON.stringify(variables)), cipher.final()]
  writeFileSync(join(folder, FILE), Buffer.concat([nonce, ...text, cipher.getAuthTag()]), { mode: 0o600, flag: 'wx' })
  return `${folder}:${key.toString('base64url')}`
}

/** Takes the variables, once: the file is gone before they are looked at. */
export function takeVariables(handedOver: string): Variables {
  const [, folder = '', key = ''] = /^(.*):([^:]*)$/.exec(handedOver) ?? []
  const bytes = readFileSync(join(folder, FILE))
  rmSync(folder, { recursive: true, force: true })
  const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64url'), bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const text = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]
  return JSON.parse(Buffer.concat(text).toString()) as Variables
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
