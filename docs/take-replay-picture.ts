// npx node docs/take-replay-picture.ts FILE|FOLDER…: replays them and draws the page's first plot into docs/images/replay.png.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { NAMED_POLICIES, createPage, findTranscripts, readTranscriptFile, replay } from '@longhaul/replay'
import type { TranscriptPart } from '@longhaul/replay'
import { launchChromium } from '../test/browser/launch-chromium.ts'

const WINDOW_TOKENS = 128_000

if (import.meta.main) await takeReplayPicture(process.argv.slice(2), join(import.meta.dirname, 'images/replay.png'))

export async function takeReplayPicture(paths: readonly string[], image: string): Promise<void> {
  const policies = [...NAMED_POLICIES.values()].filter(({ kind }) => kind !== 'recorded')
  const report = await replay(readAll(paths), policies, { windowTokens: WINDOW_TOKENS })
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-picture-'))
  const browser = await launchChromium()
  try {
    const file = join(folder, 'replay.html')
    await writeFile(file, createPage(report))
    const page = await browser.newPage({ viewport: { width: 900, height: 800 }, deviceScaleFactor: 2 })
    await page.goto(pathToFileURL(file).href)
    await page
      .locator('section', { has: page.getByRole('img', { name: 'cost against retention' }) })
      .screenshot({ path: image })
  } finally {
    await browser.close()
    await rm(folder, { recursive: true })
  }
}

async function* readAll(paths: readonly string[]): AsyncIterable<TranscriptPart> {
  const { files } = await findTranscripts(paths)
  for (const file of files) yield* readTranscriptFile(file, (problem) => console.error(problem))
}
