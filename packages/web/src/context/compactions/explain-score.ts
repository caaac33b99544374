import { formatShare } from '../../ui/text/format.ts'

export interface ScoreExplanation {
  readonly value: string
  readonly sentence: string
}

/** The score in a line; it is computed by code from the facts of the compacted messages, not guessed by a model. */
export function explainScore(score: number | null): ScoreExplanation {
  if (score === null)
    return { value: 'not scored', sentence: 'The strategy of this compaction does not check its summary.' }
  const value = formatShare(score)
  const share = score >= 0.995 ? 'All' : score >= 0.9 ? 'Nearly all' : score >= 0.7 ? 'Most' : 'Only part'
  return {
    value,
    sentence: `${share} of the facts found in the compacted messages (asks, decisions, files, figures …) can be read in what replaced them.`,
  }
}
