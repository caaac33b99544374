import type { ToolOutcome } from '../port/tool.ts'
import type { CommandReport } from './supervisor/command-order.ts'

/** The answer to the model: the output, then in brackets what else is to be known, and how it ended as the last line. */
export function describeReport(report: CommandReport, timeoutMs: number): ToolOutcome {
  const { output, droppedBytes, exitCode, endedProcesses, leftProcesses } = report
  const lines = [
    ...(output === '' ? [] : [output.replace(/\n$/, '')]),
    ...(droppedBytes > 0 ? [`[... ${droppedBytes} more bytes of output ...]`] : []),
    ...(endedProcesses > 0 ? [`[${describeEnded(endedProcesses)}]`] : []),
    ...(leftProcesses.length > 0 ? [`[could not be ended: ${describeLeft(report)}]`] : []),
    `[${describeEnding(report, timeoutMs)}]`,
  ]
  return { output: lines.join('\n'), isError: exitCode !== 0 }
}

function describeEnding({ exitCode, endedBy, stopped, problem }: CommandReport, timeoutMs: number): string {
  if (problem !== null) return `could not be run: ${problem}`
  if (stopped === 'time-out') return `stopped after ${timeoutMs} ms`
  if (stopped === 'cancelled') return 'stopped: cancelled'
  return endedBy === null ? `exit code ${exitCode}` : `ended by ${endedBy}`
}

function describeEnded(count: number): string {
  return count === 1
    ? '1 process that it left running in the background was ended'
    : `${count} processes that it left running in the background were ended`
}

function describeLeft({ leftProcesses }: CommandReport): string {
  return leftProcesses.map(({ pid, name }) => `${pid} (${name})`).join(', ')
}
