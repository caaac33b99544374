// A store of your own: the in-memory one, with every entry also written to a file. Run it: npx node examples/your-own-store.ts
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInMemoryStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { conformanceCases } from '@longhaul/store/testing'

function createMirroredStore(file: string, clock: () => number): Store {
  const store = createInMemoryStore({ clock })
  return {
    ...store,
    kind: 'mirrored',
    entries: {
      ...store.entries,
      async append(append) {
        // First the store, which may refuse: the file never holds what was not stored.
        await store.entries.append(append)
        await appendFile(file, append.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      },
    },
  }
}

// The promises of the port, as cases that any test runner can run: does the new store keep them all?
const folder = await mkdtemp(join(tmpdir(), 'longhaul-example-'))
const file = join(folder, 'entries.jsonl')
let now = Date.now()
const harness = {
  async open() {
    const store = createMirroredStore(file, () => now)
    return { store, passTime: async (ms: number) => void (now += ms), remove: () => rm(file, { force: true }) }
  },
}
for (const { run } of conformanceCases) await run(harness)
console.log(`All ${conformanceCases.length} promises are kept.`)
await rm(folder, { recursive: true })
