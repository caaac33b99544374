/** Aborted when the input of this process ends: its parent asks it to finish, or has ended itself. */
export function createStopSignal(): AbortSignal {
  const stopping = new AbortController()
  process.stdin.resume().on('end', () => stopping.abort())
  return stopping.signal
}
