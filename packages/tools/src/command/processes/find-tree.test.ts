import { describe, expect, it } from 'vitest'
import { findTree } from './find-tree.ts'
import type { ProcessInfo, ProcessTable } from './process-table.ts'

const ROOT = { pid: 100, startedAt: 1_000 }
const TRACE = { root: ROOT, marker: 'LONGHAUL_COMMAND=abc', outputs: ['socket:[7]'] }

function make(pid: number, rest: Partial<ProcessInfo> = {}): ProcessInfo {
  return { pid, parent: 1, group: pid, session: pid, startedAt: 1_001, isZombie: false, name: `p${pid}`, ...rest }
}

function table(processes: readonly ProcessInfo[], rest: Partial<ProcessTable> = {}): ProcessTable {
  const byPid = new Map(processes.map((info) => [info.pid, info]))
  return { processes: byPid, environmentOf: () => '', channelsOf: () => [], ...rest }
}

const pids = (found: readonly ProcessInfo[]): readonly number[] => found.map(({ pid }) => pid)
const root = make(100, { startedAt: 1_000, session: 100 })

describe('findTree', () => {
  it('finds by session, group and parents, whatever the order', () => {
    const found = findTree(
      table([
        make(104, { parent: 103 }),
        make(103, { parent: 101 }),
        make(101, { session: 100 }),
        make(102, { group: 100 }),
        root,
      ]),
      TRACE,
    )
    expect(pids(found).toSorted((a, b) => a - b)).toStrictEqual([100, 101, 102, 103, 104])
  })

  it('finds an orphan by its marker, and the rest of its session with it', () => {
    const found = findTree(
      table([root, make(200), make(201, { session: 200 }), make(300)], {
        environmentOf: (pid) => (pid === 200 ? 'A=1\0LONGHAUL_COMMAND=abc\0B=2\0' : 'LONGHAUL_COMMAND=abcd\0'),
      }),
      TRACE,
    )
    expect(pids(found)).toStrictEqual([100, 200, 201])
  })

  it('finds whoever holds the output, and whoever was found before', () => {
    const held = table([make(200), make(300), make(400)], { channelsOf: (pid) => (pid === 200 ? ['socket:[7]'] : []) })
    expect(pids(findTree(held, TRACE, new Set(['300:1001', '400:999'])))).toStrictEqual([200, 300])
  })

  it('finds nothing that is older than the command, that has ended, or that is this process', () => {
    const marked = { environmentOf: () => 'LONGHAUL_COMMAND=abc\0' }
    const older = make(50, { startedAt: 999, session: 100 })
    const found = findTree(table([older, make(200, { isZombie: true }), make(process.pid)], marked), TRACE)
    expect(found).toStrictEqual([])
  })

  it('takes no stranger for the command because of a pid that was given out again', () => {
    const stranger = make(100, { startedAt: 5_000, session: 100 })
    expect(findTree(table([stranger, make(101, { session: 100, startedAt: 5_001 })]), TRACE)).toStrictEqual([])
  })
})
