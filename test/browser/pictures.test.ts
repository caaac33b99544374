import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { takeWebPictures } from '../../docs/take-web-pictures.ts'
import { createFolder } from '../../packages/server/src/testing/start-app.ts'
import { describeWithBrowser } from './describe-with-browser.ts'

const MOST_BYTES = 500_000

describeWithBrowser('the pictures of the app', (browser) => {
  it('can be taken again', async () => {
    const images = await createFolder()
    await takeWebPictures(browser(), images)
    const widths: Record<string, number> = {}
    for (const name of ['chat', 'compaction', 'dark', 'phone', 'timeline']) {
      const bytes = await readFile(join(images, `web-${name}.png`))
      expect(bytes.length).toBeLessThan(MOST_BYTES)
      widths[name] = bytes.readUInt32BE(16)
    }
    expect(widths).toEqual({ chat: 2_040, compaction: 2_040, dark: 2_040, phone: 780, timeline: 2_040 })
  })
})
