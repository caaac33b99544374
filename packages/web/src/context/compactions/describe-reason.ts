/** Why a compaction was made, as a sentence. A reason that this version does not know is shown as it came. */
export function describeReason(reason: string): string {
  return REASONS[reason] ?? `Reason: ${reason}.`
}

const REASONS: Readonly<Record<string, string>> = {
  threshold: 'The context had grown past its threshold.',
  window: 'The next request would not have fitted into the window.',
  manual: 'You asked for it.',
  overflow: 'The provider refused a request as too long.',
  'model-switch': 'The new model has a smaller window.',
  prepared: 'Prepared in the background, so that nobody had to wait.',
}
