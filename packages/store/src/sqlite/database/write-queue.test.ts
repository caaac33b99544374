import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { StoreError } from '../../store-error.ts'
import { inFolder } from '../testing/in-folder.ts'
import { openConnection } from './open-connection.ts'
import { createWriteQueue } from './write-queue.ts'
import type { WriteQueue, WriteQueueOptions } from './write-queue.ts'

describe('write queue', () => {
  it('stores what arrives together in one transaction, in order', async () => {
    await withQueue({}, async ({ queue, connection, add }) => {
      const transactions: number[] = []
      const jobs = Array.from({ length: 10 }, (_, n) =>
        queue.add(() => {
          transactions.push(n)
          return add(`job ${n}`)
        }, true),
      )
      expect(transactions).toEqual([])
      expect(await Promise.all(jobs)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      expect(transactions).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(connection.isTransaction).toBe(false)
    })
  })

  it('takes back a job that fails, and no other', async () => {
    await withQueue({}, async ({ queue, add, list }) => {
      const outcomes = await Promise.allSettled([
        queue.add(() => add('before'), true),
        queue.add(() => {
          add('half done')
          throw new StoreError('lease-lost', 'somebody else has it')
        }, true),
        queue.add(() => {
          add('half done as well')
          add('before')
        }, true),
        queue.add(() => add('after'), true),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
      expect(outcomes[1]).toMatchObject({ reason: { code: 'lease-lost' } })
      expect(outcomes[2]).toMatchObject({ reason: { code: 'id-conflict' } })
      expect(list()).toEqual(['before', 'after'])
    })
  })

  it('passes errors that are nobody’s fault but ours on as they are', async () => {
    await withQueue({}, async ({ queue, list }) => {
      const bug = new TypeError('x is not a function')
      await expect(
        queue.add(() => {
          throw bug
        }, true),
      ).rejects.toBe(bug)
      expect(list()).toEqual([])
    })
  })

  it('waits for a lock without stopping the process', async () => {
    await withQueue({ waitMs: 10_000 }, async ({ queue, add, list, other }) => {
      other.exec('BEGIN IMMEDIATE')
      const jobs = Promise.all([queue.add(() => add('one'), true), queue.add(() => add('two'), false)])
      let turns = 0
      while (turns < 20) turns += await setTimeout(1, 1)
      expect(list()).toEqual([])
      other.exec('COMMIT')
      expect(await jobs).toEqual([1, 2])
    })
  })

  it('gives up in time, says why, and goes on when the lock is free', async () => {
    await withQueue({ waitMs: 30 }, async ({ queue, add, list, other }) => {
      other.exec('BEGIN IMMEDIATE')
      await expect(queue.add(() => add('one'), true)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('locked by another process'),
      })
      other.exec('COMMIT')
      await queue.add(() => add('two'), true)
      expect(list()).toEqual(['two'])
    })
  })

  it('does not give up while its own process holds the lock', async () => {
    let isPatient = true
    await withQueue({ waitMs: 0, isPatient: () => isPatient }, async ({ queue, add, other }) => {
      other.exec('BEGIN IMMEDIATE')
      const job = queue.add(() => add('one'), true)
      await setTimeout(30)
      other.exec('COMMIT')
      expect(await job).toBe(1)
      isPatient = false
      other.exec('BEGIN IMMEDIATE')
      await expect(queue.add(() => add('two'), true)).rejects.toMatchObject({ code: 'unavailable' })
      other.exec('ROLLBACK')
    })
  })

  it('refuses all jobs of a transaction that must not be', async () => {
    const checkBefore = () => {
      throw new StoreError('newer-schema', 'it has changed')
    }
    await withQueue({ checkBefore }, async ({ queue, add, list }) => {
      const jobs = ['one', 'two'].map((name) => queue.add(() => add(name), true))
      for (const job of jobs) await expect(job).rejects.toMatchObject({ code: 'newer-schema' })
      expect(list()).toEqual([])
    })
  })

  it('tells everybody when the disk is full, and stores again once there is room', async () => {
    await withQueue({}, async ({ queue, connection, add, list }) => {
      await queue.add(() => add('first'), true)
      const pages = Number(connection.prepare('PRAGMA page_count').get()?.['page_count'])
      connection.exec(`PRAGMA max_page_count = ${pages + 1}`)
      const large = queue.add(() => add('x'.repeat(100_000)), true)
      await expect(large).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('full') })
      expect(list()).toEqual(['first'])
      connection.exec('PRAGMA max_page_count = 1000000')
      await queue.add(() => add('x'.repeat(100_000)), true)
      expect(list().length).toBe(2)
    })
  })

  it('lets others in between when there is much to do', async () => {
    await withQueue({}, async ({ queue, add }) => {
      const wait = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
      const jobs = Array.from({ length: 10 }, (_, n) =>
        queue.add(() => {
          wait(10)
          return add(`job ${n}`)
        }, true),
      )
      let turns = 0
      const beat = setInterval(() => (turns += 1), 1)
      await Promise.all(jobs)
      clearInterval(beat)
      expect(turns).toBeGreaterThan(1)
    })
  })
})

interface TestQueue {
  readonly queue: WriteQueue
  readonly connection: DatabaseSync
  /** Another process, as far as locks are concerned. */
  readonly other: DatabaseSync
  /** Returns how many there are now. */
  readonly add: (name: string) => number
  readonly list: () => readonly unknown[]
}

async function withQueue(
  options: Partial<WriteQueueOptions>,
  test: (context: TestQueue) => Promise<void>,
): Promise<void> {
  await inFolder(async ({ file }) => {
    const connection = openConnection(file)
    connection.exec('CREATE TABLE names (name TEXT UNIQUE)')
    const other = new DatabaseSync(file)
    const queue = createWriteQueue({
      connection,
      file,
      waitMs: 1_000,
      checkBefore: () => {},
      isPatient: () => false,
      ...options,
    })
    try {
      await test({
        queue,
        connection,
        other,
        add(name) {
          connection.prepare('INSERT INTO names VALUES (?)').run(name)
          return Number(connection.prepare('SELECT count(*) AS n FROM names').get()?.['n'])
        },
        list: () =>
          other
            .prepare('SELECT name FROM names')
            .all()
            .map(({ name }) => name),
      })
    } finally {
      connection.close()
      other.close()
    }
  })
}
