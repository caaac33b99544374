import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conformanceCases, sharedConformanceCases } from '../../testing/conformance.ts'
import type { SharedStoreHarness } from '../../testing/store-harness.ts'
import { createSqliteStore } from '../create-sqlite-store.ts'

/** A program for Bun, which has no test runner that this repository uses: prints the cases that failed, as JSON. */
const harness: SharedStoreHarness = {
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-bun-'))
    let now = Date.now()
    const options = { file: join(folder, 'longhaul.db'), clock: () => now }
    return {
      store: await createSqliteStore(options),
      openAgain: () => createSqliteStore(options),
      passTime: async (ms) => void (now += ms),
      remove: () => rm(folder, { recursive: true }),
    }
  },
}

const AT_ONCE = 8
const waiting = [...conformanceCases, ...sharedConformanceCases]
const total = waiting.length
const failed: { readonly title: string; readonly why: string }[] = []

/** Most of the time goes into waiting for the disk, so several cases run side by side. */
async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    try {
      await next.run(harness)
    } catch (error) {
      failed.push({ title: next.title, why: String(error) })
    }
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work))
process.stdout.write(JSON.stringify({ total, failed }))
