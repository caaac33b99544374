import { expect, it } from 'vitest'
import { describeReport } from './describe-report.ts'
import type { CommandReport } from './supervisor/command-order.ts'

const DONE: CommandReport = {
  output: 'a\n',
  droppedBytes: 0,
  exitCode: 0,
  endedBy: null,
  stopped: null,
  problem: null,
  endedProcesses: 0,
  leftProcesses: [],
}

it.each<[Partial<CommandReport>, string, boolean]>([
  [{}, 'a\n[exit code 0]', false],
  [{ output: '' }, '[exit code 0]', false],
  [{ exitCode: 3 }, 'a\n[exit code 3]', true],
  [{ exitCode: null, endedBy: 'SIGSEGV' }, 'a\n[ended by SIGSEGV]', true],
  [{ droppedBytes: 7 }, 'a\n[... 7 more bytes of output ...]\n[exit code 0]', false],
  [{ endedProcesses: 2 }, 'a\n[2 processes that it left running in the background were ended]\n[exit code 0]', false],
  [
    {
      exitCode: null,
      stopped: 'time-out',
      leftProcesses: [
        { pid: 12, name: 'sudo' },
        { pid: 13, name: 'sleep' },
      ],
    },
    'a\n[could not be ended: 12 (sudo), 13 (sleep)]\n[stopped after 500 ms]',
    true,
  ],
  [{ output: '', exitCode: null, problem: 'no shell' }, '[could not be run: no shell]', true],
])('tells %j', (rest, output, isError) => {
  expect(describeReport({ ...DONE, ...rest }, 500)).toStrictEqual({ output, isError })
})
