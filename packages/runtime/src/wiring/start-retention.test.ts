import type { LogLine } from '@longhaul/agent'
import { createInMemoryStore } from '@longhaul/store'
import type { Store } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { startRetention } from './start-retention.ts'

const DAY_MS = 86_400_000
const NOW = 1_000 * DAY_MS

/** Resolves with the first line that is logged. */
async function runOnce(store: Store, sessionsDays: number | null): Promise<LogLine> {
  const { promise, resolve } = Promise.withResolvers<LogLine>()
  const retention = startRetention({ store, sessionsDays, now: () => NOW, log: resolve, firstAfterMs: 1 })
  const line = await promise
  await retention.stop()
  return line
}

describe('startRetention', () => {
  it('erases sessions that have outlived their days, and keeps all without a limit', async () => {
    const store = createInMemoryStore()
    await store.sessions.create({ id: 'old', createdAt: NOW - 40 * DAY_MS })
    await store.sessions.create({ id: 'new', createdAt: NOW - 2 * DAY_MS })
    await runOnce(store, null)
    expect((await store.sessions.list({})).items).toHaveLength(2)
    expect(await runOnce(store, 30)).toMatchObject({ event: 'retention', message: '1 sessions were erased.' })
    expect((await store.sessions.list({})).items.map(({ id }) => id)).toStrictEqual(['new'])
    await store.close()
  })

  it('says so when it cannot', async () => {
    const store = createInMemoryStore()
    await store.close()
    expect(await runOnce(store, null)).toMatchObject({ level: 'warn', event: 'retention-failed' })
  })

  it('does nothing once it was stopped', async () => {
    const store = createInMemoryStore()
    const lines: LogLine[] = []
    const retention = startRetention({
      store,
      sessionsDays: null,
      now: () => NOW,
      log: (line) => void lines.push(line),
    })
    await retention.stop()
    expect(lines).toStrictEqual([])
    await store.close()
  })
})
