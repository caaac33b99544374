import { beforeEach, expect, it } from 'vitest'
import { describeStores } from '../../../../test/describe-stores.ts'
import type { Store } from '../port/store.ts'
import { assistant, user } from '../testing/build-entries.ts'
import { createSession, startSession } from '../testing/session-writer.ts'
import { exportSession } from './export-session.ts'

const LONG = 1_000

function longTalk() {
  return Array.from({ length: LONG }, (_, index) =>
    index % 2 === 0 ? user(`Ask ${index}`) : assistant(`Say ${index}`),
  )
}

describeStores('exportSession', (open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })

  it('OPEN-01 writes one line for each entry, also of a session longer than is held at once', async () => {
    await createSession(store, 's', ...longTalk())
    const lines = await Array.fromAsync(exportSession(store, 's'))
    expect(lines).toHaveLength(1 + LONG)
    expect(lines.every((line) => line.endsWith('\n'))).toBe(true)
    expect(lines.slice(1).map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      Array.from({ length: LONG }, (_, index) => index + 1),
    )
  })

  it('reads no further than its lines are asked for', async () => {
    await createSession(store, 's', ...longTalk())
    let reads = 0
    const counted: Store = {
      ...store,
      entries: { ...store.entries, read: (...read) => ((reads += 1), store.entries.read(...read)) },
    }
    const lines = exportSession(counted, 's')
    for (let line = 0; line < 150; line += 1) await lines.next()
    await lines.return(undefined)
    expect(reads).toBe(1)
  })

  it('is the session as it was when the export began', async () => {
    const writer = await startSession(store, 's', user('Hello'))
    const lines = exportSession(store, 's')
    await lines.next()
    await writer.write([assistant('Too late')])
    expect(await Array.fromAsync(lines)).toHaveLength(1)
  })

  it('exports a hidden session, and names one that is not there', async () => {
    await createSession(store, 's', user('Hello'))
    await store.sessions.setDeleted('s', 1)
    expect(await Array.fromAsync(exportSession(store, 's'))).toHaveLength(2)
    await expect(exportSession(store, 'nobody').next()).rejects.toMatchObject({ code: 'not-found' })
  })

  it('half a transcript does not pass for a whole one: a purge meanwhile ends the export', async () => {
    await createSession(store, 's', ...longTalk())
    const lines = exportSession(store, 's')
    await lines.next()
    await store.sessions.purge('s')
    await expect(Array.fromAsync(lines)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('what its creator wrote into the header cannot change what the line is', async () => {
    await store.sessions.create({
      id: 's',
      createdAt: 5,
      header: { type: 'x', version: 9, id: 'y', createdAt: 7, a: 1 },
    })
    const [line] = await Array.fromAsync(exportSession(store, 's'))
    expect(JSON.parse(line ?? '')).toEqual({ type: 'session', version: 1, id: 's', createdAt: 5, a: 1 })
  })

  it('stops at its signal', async () => {
    await createSession(store, 's', ...longTalk())
    await expect(Array.fromAsync(exportSession(store, 's', AbortSignal.abort()))).rejects.toThrow('aborted')
  })
})
