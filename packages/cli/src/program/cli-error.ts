/** What cannot be done, in one line that says what to do next: exit code 1. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
