/** What a user can do about it, where the server's own sentence does not say. Null: nothing to add. */
export function explainProblem(code: string | null): string | null {
  switch (code) {
    case 'provider-auth':
      return 'Check the provider’s API key where Longhaul runs, restart it, and send the message again.'
    case 'provider-limited':
      return 'The provider asks for a pause. Your message is kept; say “go on” in a minute.'
    case 'provider-unavailable':
      return 'Your message is kept. Say “go on” to try again, or choose another model in the settings.'
    case 'budget-exhausted':
      return 'The limits are set in the configuration, under limits.'
    case 'store-unavailable':
      return 'The database cannot be reached. Nothing that was acknowledged is lost.'
    default:
      return null
  }
}
