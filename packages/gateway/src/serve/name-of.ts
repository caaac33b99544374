/** The kind of an error, for a log. Its message may quote what could not be read. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const cause = error.cause instanceof Error ? error.cause : error
  const { code } = cause as { readonly code?: unknown }
  return typeof code === 'string' ? code : cause.name
}
