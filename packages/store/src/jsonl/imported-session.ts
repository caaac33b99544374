import type { Entry } from '@longhaul/engine/advanced'

export type TranscriptFormat = 'longhaul' | 'pi' | 'claude-code' | 'openai-chat' | 'ai-sdk'

/** The first line of a transcript without its type and version. Fields of a newer version ride along untouched. */
export interface TranscriptSession {
  readonly id: string
  /** Milliseconds since 1970, UTC; 0 where the transcript does not say. */
  readonly createdAt: number
  readonly title?: string
  /** `provider/model`, the one in force at the end. */
  readonly model?: string
  readonly systemPrompt?: string
}

export interface TranscriptArtifact {
  readonly id: string
  readonly content: string
}

export interface SkippedLine {
  /** Counted from 1; in a JSON array, the element. */
  readonly line: number
  readonly reason: string
}

export interface Transcript {
  readonly session: TranscriptSession
  /** `seq` runs from 1 without a gap and no id occurs twice. */
  readonly entries: readonly Entry[]
  readonly artifacts: readonly TranscriptArtifact[]
}

export interface ImportedSession extends Transcript {
  readonly format: TranscriptFormat
  /** What could not be read, and messages left out on purpose. A peer's bookkeeping is not listed. */
  readonly skipped: readonly SkippedLine[]
}
