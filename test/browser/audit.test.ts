import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createAuditPage, shareReport } from '@longhaul/audit'
import { createExampleReport, writeClaudeCodeSession } from '@longhaul/audit/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { takeAuditPicture } from '../../docs/take-audit-picture.ts'
import { createFolder } from '../../packages/server/src/testing/start-app.ts'
import { describeWithBrowser } from './describe-with-browser.ts'
import { findViolations } from './find-violations.ts'
import { startWebApp } from './start-web-app.ts'

const DESK = { name: 'a desk', width: 1_280, height: 900 }
const SIZES = [DESK, { name: 'a phone', width: 390, height: 844 }]

const findOverflow = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth - innerWidth')

describeWithBrowser('the audit', (browser) => {
  describe('in the web app', () => {
    it.each(SIZES)(
      'leads on $name from the side bar to a loss and to both of its messages',
      async ({ width, height }) => {
        const home = await createFolder()
        const { lost } = await writeClaudeCodeSession(home)
        const app = await startWebApp({ audit: { home, environment: {} } })
        const page = await app.open(browser(), { width, height })
        if (width < 600) await page.getByRole('button', { name: 'Chats', exact: true }).click()
        await page.getByRole('link', { name: 'Audit' }).click()
        await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
        expect(await findViolations(page)).toEqual([])
        await page.getByRole('button', { name: 'Start' }).click()
        const worst = page.getByRole('region', { name: 'The worst losses' })
        await worst.getByRole('button', { name: lost }).waitFor()
        expect(await page.getByRole('main').innerText()).toContain('Claude Code compacted once')
        expect(await findViolations(page)).toEqual([])
        expect(await findOverflow(page)).toBeLessThanOrEqual(0)

        await worst.getByRole('button', { name: lost }).click()
        const dialog = page.getByRole('dialog', { name: lost })
        const said = dialog.getByRole('region', { name: 'Said' })
        expect(await said.innerText()).toContain(`reminders of ${lost} first`)
        expect(await dialog.getByRole('region', { name: 'Needed' }).innerText()).toContain(`${lost}, as I said.`)
        expect(await said.locator('mark').innerText()).toBe(lost)
        expect(await findViolations(page, '[role=dialog]')).toEqual([])
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })

        const saving = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Save as a page with plots' }).click()
        const saved = await (await saving).createReadStream()
        expect(Buffer.concat(await saved.toArray()).toString()).toContain(lost)

        await page.getByRole('button', { name: /1 compaction/ }).click()
        const compaction = page.getByRole('region', { name: 'Compaction 1' })
        await compaction.getByRole('button', { name: lost }).waitFor()
        expect(await compaction.innerText()).toContain('dunning.ts')
        expect(await findViolations(page)).toEqual([])
        expect(await findOverflow(page)).toBeLessThanOrEqual(0)
      },
    )

    it('says how to get the right where the page was opened plainly', async () => {
      const app = await startWebApp({ audit: { home: await createFolder(), environment: {} } })
      const page = await app.open(browser(), { route: '/audit', isPlain: true })
      await page.getByRole('alert').waitFor()
      expect(await page.getByRole('alert').innerText()).toContain('one-time address')
    })

    it('is not offered by a shared server', async () => {
      const app = await startWebApp({
        audit: { home: await createFolder(), environment: {} },
        source: '{ audit: { enabled: false } }',
      })
      const page = await app.open(browser())
      await page.getByRole('link', { name: 'Memory' }).waitFor()
      expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0)
    })
  })

  describe('as a page in a file', () => {
    async function openFile(html: string, size: { width: number; height: number }, theme: 'light' | 'dark') {
      const folder = await mkdtemp(join(tmpdir(), 'longhaul-audit-'))
      const file = join(folder, 'audit.html')
      await writeFile(file, html)
      const url = pathToFileURL(file).href
      const context = await browser().newContext({ viewport: size, colorScheme: theme })
      onTestFinished(async () => {
        await context.close()
        await rm(folder, { recursive: true })
      })
      const page = await context.newPage()
      const requests: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => void requests.push(request.url()))
      page.on('console', (message) => void complaints.push(message.text()))
      page.on('pageerror', ({ message }) => void complaints.push(message))
      await page.goto(url)
      return { page, url, requests, complaints }
    }

    const options = { home: '/home/ada', now: Date.UTC(2026, 10, 19) }

    it.each(SIZES.flatMap((size) => (['light', 'dark'] as const).map((theme) => ({ ...size, theme }))))(
      'fits $name, $theme, draws its plots, and asks for nothing',
      async ({ theme, ...size }) => {
        const { page, url, requests, complaints } = await openFile(
          createAuditPage(createExampleReport(), options),
          size,
          theme,
        )
        expect(await page.locator('polyline').count()).toBe(2)
        expect(await page.locator('circle').count()).toBe(3)
        const drawn = await page.locator('svg').evaluateAll((all) => all.map((each) => each.outerHTML).join())
        expect(drawn).not.toMatch(/NaN|undefined|Infinity/)
        expect(await findOverflow(page)).toBeLessThanOrEqual(0)
        expect(await findViolations(page)).toEqual([])
        expect({ requests, complaints }).toEqual({ requests: [url], complaints: [] })
      },
    )

    it('can be drawn for the guide again', async () => {
      const folder = await createFolder()
      const { path } = await writeClaudeCodeSession(folder)
      await takeAuditPicture([path], join(folder, 'audit.png'))
      const bytes = await readFile(join(folder, 'audit.png'))
      expect(bytes.readUInt32BE(16)).toBe(1_290)
      expect(bytes.length).toBeLessThan(500_000)
    })

    it('says with --share how much was lost, and shows no word of it', async () => {
      const { page } = await openFile(createAuditPage(shareReport(createExampleReport()), options), DESK, 'light')
      const text = await page.locator('body').innerText()
      expect(text).toContain('5 of them were lost')
      expect(text).not.toMatch(/TENANT|Invoices|dunning|importer/)
    })
  })
})
