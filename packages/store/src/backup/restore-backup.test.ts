import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeStores } from '../../../../test/describe-stores.ts'
import { createInMemoryStore } from '../in-memory/create-in-memory-store.ts'
import type { Store } from '../port/store.ts'
import { START_AT, assistant, user } from '../testing/build-entries.ts'
import { dumpText } from '../testing/expectations.ts'
import { fillStore } from '../testing/fill-store.ts'
import { startSession } from '../testing/session-writer.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-backup-'))
  file = join(folder, 'backup.jsonl.gz')
})
afterEach(() => rm(folder, { recursive: true }))

describeStores('a backup of one store', (openSource) => {
  describeStores('into', (openTarget) => {
    let source: Store
    let target: Store
    beforeEach(async () => {
      source = await openSource()
      target = await openTarget()
    })

    it('restores everything that matters tomorrow, and works on as before', async () => {
      await fillStore(source)
      const written = await writeBackup(source, file, { now: START_AT })
      expect(written).toMatchObject({
        createdAt: START_AT,
        kind: source.kind,
        counts: { session: 3, entry: 7, artifact: 1, inbox: 2, request: 3, learned: 1, memory: 1 },
      })
      expect(await restoreBackup(file, target)).toEqual(written)
      expect(await dumpText(target)).toEqual(await dumpText(source))
      expect(await target.sessions.get('talk')).toEqual(await source.sessions.get('talk'))
      expect(await target.search.search({ query: 'mat' })).toMatchObject([{ sessionId: 'talk' }])
      expect(await target.memory.search({ query: 'fridays' })).toMatchObject([{ document: 'MEMORY.md' }])
      expect(await target.inbox.listUnowned(10)).toEqual(['talk'])
      const { items } = await target.requests.list('talk', {})
      expect(items).toMatchObject([{ outcome: null }, { outcome: { status: 'ok' } }, { outcome: null }])
      expect(await verifyStore(target)).toMatchObject({ sessions: 3, entries: 7, problems: [], notices: [] })
    })

    it('is of one moment, however busy the store is', async () => {
      const writer = await startSession(source, 's', user('One'))
      const done = new AbortController()
      const writing = (async () => {
        while (!done.signal.aborted) {
          await writer.write([assistant('More'), user('And more')])
          await setImmediate()
        }
      })()
      try {
        await writeBackup(source, file)
      } finally {
        done.abort()
        await writing
      }
      await restoreBackup(file, target)
      const { entries, problems } = await verifyStore(target)
      expect(problems).toEqual([])
      expect(entries % 2).toBe(1)
      expect(await target.entries.read('s', {})).toEqual(await source.entries.read('s', { to: entries }))
    })

    it('is not restored over anything', async () => {
      await fillStore(source)
      await writeBackup(source, file)
      await target.learned.setWindow('p/m', { tokens: 1, at: 1 })
      const before = await dumpText(target)
      await expect(restoreBackup(file, target)).rejects.toMatchObject({ code: 'not-empty' })
      expect(await dumpText(target)).toEqual(before)
    })
  })
})

describe('a backup', () => {
  let source: Store
  let target: Store
  beforeEach(async () => {
    source = createInMemoryStore()
    target = createInMemoryStore()
    await fillStore(source)
  })

  async function expectRefused(bytes: Uint8Array, message: string | RegExp = ''): Promise<void> {
    await writeFile(file, bytes)
    const restored = restoreBackup(file, target)
    await expect(restored).rejects.toMatchObject({ code: 'unreadable-backup' })
    await expect(restored).rejects.toThrow(message)
    expect(await dumpText(target)).toEqual([])
  }

  async function readLines(): Promise<string[]> {
    await writeBackup(source, file, { now: START_AT })
    return gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n')
  }

  /** With an end that fits, so that nothing but the records themselves can be found wrong. */
  function pack(lines: readonly string[], end: Readonly<Record<string, unknown>> = {}): Uint8Array {
    const text = lines.map((line) => `${line}\n`).join('')
    const types = lines.slice(1).map((line) => (JSON.parse(line) as { type: string }).type)
    const counts = { session: 0, entry: 0, artifact: 0, inbox: 0, request: 0, learned: 0, memory: 0 }
    const counted = types.reduce(
      (sum, type) => ({ ...sum, [type]: types.filter((one) => one === type).length }),
      counts,
    )
    const sha256 = createHash('sha256').update(text).digest('hex')
    return gzipSync(`${text}${JSON.stringify({ type: 'end', counts: counted, sha256, ...end })}\n`)
  }

  it('that is cut off anywhere is refused and leaves the store empty', async () => {
    await writeBackup(source, file)
    const whole = await readFile(file)
    for (let bytes = 0; bytes < whole.length; bytes += 7) await expectRefused(whole.subarray(0, bytes))
    const lines = await readLines()
    await expectRefused(gzipSync(`${lines.slice(0, 4).join('\n')}\n`), 'cut off behind line 4')
  })

  it('with any byte changed is refused, or still says the same', async () => {
    await writeBackup(source, file)
    const whole = await readFile(file)
    const wanted = await dumpText(source)
    for (let place = 0; place < whole.length; place += 5) {
      const changed = Uint8Array.from(whole)
      changed[place] = (whole[place] ?? 0) ^ 0x10
      await writeFile(file, changed)
      const other = createInMemoryStore()
      const outcome = await restoreBackup(file, other).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'unreadable-backup' })
      expect(await dumpText(other)).toEqual(outcome instanceof Error ? [] : wanted)
    }
  })

  it.each<[string, (lines: string[]) => string[], string]>([
    ['a line that is no JSON', (lines) => lines.with(3, '{"type":'), 'line 4 is damaged'],
    [
      'a record of an unknown type',
      (lines) => lines.with(3, '{"type":"hologram"}'),
      'line 4 holds a record of the unknown',
    ],
    ['an entry left out', (lines) => lines.toSpliced(3, 1), 'line 4 holds entry 3 of session talk, but 2 is next'],
    ['a session left out', (lines) => lines.toSpliced(1, 1), 'line 2 holds an entry of a session that has not come'],
    ['a session twice', (lines) => lines.toSpliced(1, 0, lines[1] ?? ''), 'line 3 holds session talk a second time'],
    [
      'an entry without its number',
      (lines) => lines.with(2, (lines[2] ?? '').replace('"seq":1', '"seq":"1"')),
      'line 3 holds an entry that cannot be read',
    ],
    ['no first line', (lines) => lines.slice(1), 'line 1 is not the first one of a backup'],
    ['a newer version', (lines) => lines.with(0, (lines[0] ?? '').replace('"version":1', '"version":2')), 'update it'],
  ])('with %s is refused, naming the line', async (_, change, message) => {
    const lines = change((await readLines()).slice(0, -1))
    const parseable = lines.map((line) => (line === '{"type":' ? '{}' : line))
    const packed = gunzipSync(pack(parseable)).toString().replace('\n{}\n', '\n{"type":\n')
    await expectRefused(gzipSync(packed), message)
  })

  it.each([
    ['artifact', '"content":', '"content":1,"was":'],
    ['inbox', '"kind":"message"', '"kind":"wish"'],
    ['inbox', '"sessionId":"talk"', '"sessionId":"nobody"'],
    ['request', '"isFull":', '"isFull":null,"was":'],
    ['learned', '"calibrations":', '"calibrations":[],"was":'],
    ['memory', '"line":1', '"line":"one"'],
    ['session', '"header":', '"header":null,"was":'],
  ])('with a damaged %s record (%s) is refused', async (type, text, replacement) => {
    const lines = (await readLines()).slice(0, -1)
    const place = lines.findIndex((line) => line.includes(`"type":"${type}"`) && line.includes(text))
    expect(place).toBeGreaterThan(0)
    await expectRefused(
      pack(lines.with(place, (lines[place] ?? '').replace(text, replacement))),
      `line ${place + 1} holds`,
    )
  })

  it('whose end does not fit is refused', async () => {
    const lines = (await readLines()).slice(0, -1)
    await expectRefused(pack(lines, { counts: {} }), 'counts other records than there are')
    await expectRefused(pack(lines, { sha256: 'other' }), 'a byte before it has changed')
    const more = gunzipSync(pack(lines)).toString() + (lines[1] ?? '')
    await expectRefused(gzipSync(more), 'stands behind the end')
  })

  it('is not taken for one when it is something else', async () => {
    await expectRefused(Buffer.from('Dear diary'), 'is not a backup')
    await expectRefused(new Uint8Array(), 'ends before its first line')
    await expectRefused(gzipSync(''), 'ends before its first line')
    await expect(restoreBackup(join(folder, 'missing'), target)).rejects.toThrow('ENOENT')
  })

  it('of an empty store is one too', async () => {
    await writeBackup(createInMemoryStore(), file)
    await restoreBackup(file, target)
    expect(await dumpText(target)).toEqual([])
  })

  it('stops restoring at its signal and leaves the store empty', async () => {
    await writeBackup(source, file)
    await expect(restoreBackup(file, target, { signal: AbortSignal.abort(new Error('Enough')) })).rejects.toThrow(
      'Enough',
    )
    const stopped = new AbortController()
    const endless: Store = {
      ...target,
      load: async (records) => {
        for await (const _ of records) stopped.abort(new Error('Half-way'))
      },
    }
    await expect(restoreBackup(file, endless, { signal: stopped.signal })).rejects.toThrow('Half-way')
    expect(await dumpText(target)).toEqual([])
  })

  it('tells how far it is', async () => {
    const told: number[] = []
    const onProgress = ({ records }: { readonly records: number }) => void told.push(records)
    await writeBackup(source, file, { onProgress })
    await restoreBackup(file, target, { onProgress })
    expect(told).toEqual([18, 18])
  })

  it('holds lines longer than what is read at once', async () => {
    const content = 'long '.repeat(100_000)
    await source.artifacts.put({ sessionId: 'talk', id: 'long', at: START_AT, content })
    await writeBackup(source, file)
    await restoreBackup(file, target)
    expect(await target.artifacts.read('talk', 'long')).toBe(content)
  })
})
