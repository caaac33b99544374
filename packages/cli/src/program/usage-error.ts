/** What was asked makes no sense as it was typed: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
