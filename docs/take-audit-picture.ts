// npx node docs/take-audit-picture.ts FILE|FOLDER…: audits them and draws the top of the page into docs/images/audit.png.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createAuditPage, runAudit } from '@longhaul/audit'
import { launchChromium } from '../test/browser/launch-chromium.ts'

const SIZE = { width: 860, height: 980 }

if (import.meta.main) await takeAuditPicture(process.argv.slice(2), join(import.meta.dirname, 'images/audit.png'))

export async function takeAuditPicture(paths: readonly string[], image: string): Promise<void> {
  const { signal } = new AbortController()
  const report = await runAudit({ home: homedir(), env: {}, paths, signal })
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-picture-'))
  const browser = await launchChromium()
  try {
    const file = join(folder, 'audit.html')
    await writeFile(file, createAuditPage(report, { home: homedir(), now: Date.now() }))
    const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: 1.5 })
    await page.goto(pathToFileURL(file).href)
    await page.screenshot({ path: image })
  } finally {
    await browser.close()
    await rm(folder, { recursive: true })
  }
}
