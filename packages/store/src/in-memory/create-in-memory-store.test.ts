import { describe, expect, it } from 'vitest'
import { conformanceCases } from '../testing/conformance.ts'
import type { StoreHarness } from '../testing/store-harness.ts'
import { createInMemoryStore } from './create-in-memory-store.ts'

const harness: StoreHarness = {
  async open() {
    let now = Date.now()
    return {
      store: createInMemoryStore({ clock: () => now }),
      async passTime(ms) {
        now += ms
      },
      async remove() {},
    }
  },
}

describe('in-memory store', () => {
  it.each(conformanceCases)('$title', async ({ run }) => {
    await expect(run(harness)).resolves.toBeUndefined()
  })
})
