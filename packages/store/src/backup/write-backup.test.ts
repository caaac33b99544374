import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createInMemoryStore } from '../in-memory/create-in-memory-store.ts'
import type { Store } from '../port/store.ts'
import { StoreError } from '../store-error.ts'
import { fillStore } from '../testing/fill-store.ts'
import { checkBackup } from './read-backup.ts'
import { writeBackup } from './write-backup.ts'

describe('writing a backup', () => {
  let folder: string
  let file: string
  let source: Store
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longhaul-backup-'))
    file = join(folder, 'backup.jsonl.gz')
    source = createInMemoryStore()
    await fillStore(source)
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('that fails on the way leaves the one before it as it was, and no rest', async () => {
    await writeBackup(source, file)
    const before = await readFile(file)
    const failing: Store = {
      ...source,
      async *dump() {
        yield { type: 'session', id: 's', createdAt: 0, updatedAt: 0, deletedAt: null, header: {} }
        throw new StoreError('unavailable', 'The disk is gone.')
      },
    }
    await expect(writeBackup(failing, file)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The disk is gone.',
    })
    const stopped = new AbortController()
    const onProgress = () => stopped.abort(new Error('Enough'))
    await expect(writeBackup(source, file, { signal: stopped.signal, onProgress })).rejects.toThrow('Enough')
    expect(await readFile(file)).toEqual(before)
    expect(await readdir(folder)).toEqual(['backup.jsonl.gz'])
  })

  it('can be read by its owner alone, and says so if it cannot be written', async () => {
    await writeBackup(source, file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const nowhere = writeBackup(source, join(folder, 'missing', 'backup'))
    await expect(nowhere).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('ENOENT') as string,
    })
  })

  it('that could not be restored is not kept: the store is damaged', async () => {
    const damaged: Store = {
      ...source,
      async *dump() {
        for await (const record of source.dump()) {
          if (record.type !== 'entry' || record.entry.seq !== 2) yield record
        }
      },
    }
    const written = writeBackup(damaged, file)
    await expect(written).rejects.toMatchObject({ code: 'damaged' })
    await expect(written).rejects.toThrow('entry 3 of session talk, but 2 is next')
    expect(await readdir(folder)).toEqual([])
  })

  it('replaces the one before it once it is whole', async () => {
    await writeBackup(source, file, { now: 1 })
    await writeBackup(createInMemoryStore(), file, { now: 2 })
    expect(await checkBackup(file)).toMatchObject({ createdAt: 2, counts: { session: 0 } })
    expect(await readdir(folder)).toEqual(['backup.jsonl.gz'])
  })
})
