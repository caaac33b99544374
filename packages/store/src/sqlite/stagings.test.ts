import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { START_AT, numberLines, user } from '../testing/build-entries.ts'
import { inFolder } from './testing/in-folder.ts'
import { moduleUrl, runScript } from './testing/run-script.ts'

const LATER_MS = 6 * 60_000

function countRows(file: string, table: string): number {
  const connection = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
  } finally {
    connection.close()
  }
}

describe('a session that is stored in pieces', () => {
  it('18.13 of which a crash left half is not there, is no damage, and is deleted later', async () => {
    await inFolder(async ({ file, open }) => {
      const { signal, stderr } = await runScript(`
        import { createSqliteStore } from ${moduleUrl('create-sqlite-store.ts')}
        import { numberLines, user } from ${moduleUrl('../testing/build-entries.ts')}
        const store = await createSqliteStore({ file: ${JSON.stringify(file)} })
        const entries = numberLines(Array.from({ length: 1_000 }, (_, n) => user('Line ' + n)))
        await store.sessions.create({
          id: 'half',
          createdAt: 1,
          entries: (async function* () {
            yield entries.slice(0, 600)
            process.kill(process.pid, 'SIGKILL')
            yield entries.slice(600)
          })(),
        })
      `)
      expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
      expect(countRows(file, 'entries')).toBe(600)
      const store = await open()
      expect(await store.sessions.get('half')).toBeNull()
      expect(await store.check()).toEqual([])
      await store.sessions.create({ id: 'half', createdAt: START_AT, entries: numberLines([user('Again')]) })
      await store.close()
      const later = await open({ clock: () => Date.now() + LATER_MS })
      await expect.poll(() => countRows(file, 'stagings')).toBe(0)
      expect(countRows(file, 'entries')).toBe(1)
      expect(await later.check()).toEqual([])
    })
  })

  it('18.13 whose process was halted for too long is taken back, and says so', async () => {
    await inFolder(async ({ file, open }) => {
      const entries = numberLines(Array.from({ length: 1_000 }, (_, n) => user(`Line ${n}`)))
      const store = await open()
      const late = store.sessions.create({
        id: 'late',
        createdAt: START_AT,
        entries: (async function* () {
          yield entries.slice(0, 600)
          await open({ clock: () => Date.now() + LATER_MS })
          await expect.poll(() => countRows(file, 'stagings')).toBe(0)
          yield entries.slice(600)
        })(),
      })
      await expect(late).rejects.toMatchObject({ code: 'unavailable' })
      expect(countRows(file, 'entries')).toBe(0)
      expect(await store.sessions.get('late')).toBeNull()
    })
  })
})
