import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inFolder } from '../../packages/store/src/sqlite/testing/in-folder.ts'
import { createAcknowledged } from '../store-load/acknowledged.ts'
import { startProgram } from '../store-load/start-program.ts'
import { readTrace } from './read-trace.ts'
import type { Call } from './read-trace.ts'
import type { SerialWriterArgument } from './serial-writer.ts'

const STRACE = ['strace', '-f', '-y', '-qq', '-e', 'trace=write,pwrite64,fsync,fdatasync', '-o'] as const
const APPENDS = 60
const PUTS = 40

const [strace, ...options] = STRACE
const hasStrace = spawnSync(strace, [...options, '/dev/null', process.execPath, '--version']).status === 0

describe('what SQLite has acknowledged', () => {
  it('ONE-03 is on disk: no promise is given before the log is synced', async () => {
    await inFolder(async ({ folder, file, open }) => {
      const trace = join(folder, 'trace')
      const acknowledged = createAcknowledged()
      const argument: SerialWriterArgument = { file, appends: APPENDS, puts: PUTS }
      const writer = startProgram({
        file: join(import.meta.dirname, 'serial-writer.ts'),
        argument,
        onReport: (report) => acknowledged.record(report),
        under: hasStrace ? [...STRACE, trace] : [],
      })
      await writer.stop()
      await acknowledged.check(await open(), ['one'])
      expect(acknowledged.countEntries()).toBe(APPENDS)
      if (!hasStrace) {
        console.log('SQLite syncs: strace is not here; only the pragmas in force were looked at, by other tests.')
        return
      }
      const { promises, syncs, early } = countSyncs(readTrace(await readFile(trace, 'utf8')), `${file}-wal`)
      console.log(
        `SQLite syncs, counted by strace: ${syncs} of the log for ${promises} promises, ${early} given too early.`,
      )
      expect({ promises, early }).toEqual({ promises: APPENDS + PUTS, early: 0 })
      expect(syncs).toBeGreaterThanOrEqual(promises)
    })
  })
})

/** A promise is early if nothing was written to the log for it, or something since the log was synced last. */
function countSyncs(calls: readonly Call[], log: string) {
  let [writes, syncs, promises, early] = [0, 0, 0, 0]
  let isSynced = false
  for (const call of calls) {
    if (call.type === 'promise') {
      promises += 1
      if (writes === 0 || !isSynced) early += 1
      writes = 0
    } else if (call.path === log) {
      isSynced = call.type === 'sync'
      if (isSynced) syncs += 1
      else writes += 1
    }
  }
  return { promises, syncs, early }
}
