import type { CommandReport } from './command-order.ts'

/** More output than this is dropped while a command runs, so that nothing fills the memory. */
const MAX_OUTPUT_BYTES = 5_000_000

export interface OutputBuffer {
  readonly add: (chunk: Buffer) => void
  readonly take: () => Pick<CommandReport, 'output' | 'droppedBytes'>
}

export function createOutputBuffer(): OutputBuffer {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk) {
      if (bytes < MAX_OUTPUT_BYTES) chunks.push(chunk)
      bytes += chunk.length
    },
    take: () => ({
      output: Buffer.concat(chunks).subarray(0, MAX_OUTPUT_BYTES).toString('utf8'),
      droppedBytes: Math.max(0, bytes - MAX_OUTPUT_BYTES),
    }),
  }
}
