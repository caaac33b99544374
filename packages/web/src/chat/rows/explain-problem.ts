export interface ProblemExplanation {
  /** What happened, where the sentence that came is the provider's own. */
  readonly headline: string | null
  /** What its reader can do about it, where that sentence does not say. */
  readonly advice: string
}

const EXPLANATIONS: Readonly<Partial<Record<string, ProblemExplanation>>> = {
  'provider-auth': {
    headline: 'The provider did not accept the API key.',
    advice: 'Check the key where Longhaul runs, restart it, and send the message again.',
  },
  'provider-limited': {
    headline: 'The provider asks for a pause.',
    advice: 'Your message is kept; say “go on” in a minute.',
  },
  'provider-unavailable': {
    headline: 'The provider could not answer.',
    advice: 'Your message is kept. Say “go on” to try again, or choose another model in the settings.',
  },
  'budget-exhausted': { headline: null, advice: 'The limits are set in the configuration, under limits.' },
  'store-unavailable': {
    headline: null,
    advice: 'The database cannot be reached. Nothing that was acknowledged is lost.',
  },
}

export function explainProblem(code: string | null): ProblemExplanation | null {
  return code === null ? null : (EXPLANATIONS[code] ?? null)
}
