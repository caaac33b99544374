/** What a user can do about it, where the server's own sentence does not say. */
const ADVICE: Readonly<Partial<Record<string, string>>> = {
  'provider-auth': 'Check the provider’s API key where Longhaul runs, restart it, and send the message again.',
  'provider-limited': 'The provider asks for a pause. Your message is kept; say “go on” in a minute.',
  'provider-unavailable': 'Your message is kept. Say “go on” to try again, or choose another model in the settings.',
  'budget-exhausted': 'The limits are set in the configuration, under limits.',
  'store-unavailable': 'The database cannot be reached. Nothing that was acknowledged is lost.',
}

export function explainProblem(code: string | null): string | null {
  return code === null ? null : (ADVICE[code] ?? null)
}
