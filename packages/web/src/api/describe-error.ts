/** What went wrong, in one sentence. The server's own sentences say what to do. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
